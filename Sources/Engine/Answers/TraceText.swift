import EventLoop
import JSON
import SearchModel

/// Writes the story of a search.
enum TraceText {
    static func write(_ trace: [TraceEvent], since start: Instant, to writer: inout JSONWriter) {
        writer.array { writer in
            for event in trace {
                writer.object { writer in
                    var at: [UInt8] = []
                    Decimal.appendTenths(nanoseconds: start.nanoseconds(to: event.at), perSecond: 1000, to: &at)
                    writer.name("at")
                    writer.raw(at)
                    writer.member("source", event.source?.text)
                    writer.member("event", event.event)
                    for (name, value) in event.details {
                        writer.name(name)
                        switch value {
                        case .number(let number): writer.integer(number)
                        case .decimal(let decimal): writer.double(decimal)
                        case .time(let time):
                            var tenths: [UInt8] = []
                            Decimal.appendTenths(
                                nanoseconds: time.saturatingNanoseconds,
                                perSecond: 1000,
                                to: &tenths
                            )
                            writer.raw(tenths)
                        case .text(let text): writer.string(text)
                        case .ranks(let ranks):
                            writer.object { writer in
                                for (source, rank) in ranks { writer.member(source.text, rank) }
                            }
                        }
                    }
                }
            }
        }
    }
}
