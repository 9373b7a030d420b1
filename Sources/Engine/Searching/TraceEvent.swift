import EventLoop
import JSON
import RPC
import SearchModel

/// One step of a search's story.
package struct TraceEvent: Sendable {
    let at: Instant
    let source: SourceName?
    package let event: String
    /// Writes what else belongs to the step: numbers and words only.
    let details: @Sendable (inout JSONWriter) -> Void

    /// Writes a story as a list, its times from an instant on.
    static func write(_ trace: [TraceEvent], since start: Instant, to writer: inout JSONWriter) {
        writer.array { writer in
            for step in trace {
                writer.object { writer in
                    writer.member(.at, start.duration(to: step.at))
                    writer.member(.source, step.source?.text)
                    writer.member(.event, step.event)
                    step.details(&writer)
                }
            }
        }
    }
}

extension JSONWriter {
    /// A duration in milliseconds, with one decimal.
    mutating func member(_ name: Member, _ duration: Duration) {
        self.name(name)
        raw(Decimal.milliseconds(duration))
    }
}
