import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// What a request tells before its answer.
enum StreamNotice: Sendable {
    case hits([HitPosition], from: SourceName, raw: Bool)
    /// A source keeps the request waiting.
    case waiting(WaitNotice, on: SourceName)
    case source(SourceReport)
    /// How many of the sources that are asked have answered, and which have not.
    case progress(answered: Int, asked: Int, waitingFor: [SourceName])

    /// Whether it is repeated to a request that takes this one over; waits and counts are not, since the next ones
    /// replace them.
    var lasts: Bool {
        switch self {
        case .hits, .source: true
        case .waiting, .progress: false
        }
    }

    /// About as many bytes as its line takes, or more.
    var bytesMax: Int {
        switch self {
        case .hits(let hits, _, let raw):
            hits.reduce(256) { $0 + $1.entry.range.count + (raw ? $1.entry.rawRange.count : 0) + 64 }
        case .waiting: 256
        case .progress(_, _, let out): out.reduce(256) { $0 + $1.text.utf8.count + 3 }
        case .source: 1024
        }
    }

    /// Its parameters, as one value.
    func write(of request: RequestID, at now: Instant, to writer: inout JSONWriter) {
        // The entry of the final answer, with the request it belongs to in front.
        if case .source(let report) = self {
            var entry = Array("{\"request\":".utf8)
            entry.append(contentsOf: request.text)
            entry.append(UInt8(ascii: ","))
            entry.append(contentsOf: AnswerTemplate(report).bytes(at: now).dropFirst())
            return writer.raw(entry)
        }
        writer.object { writer in
            writer.member(.request, raw: request.text)
            switch self {
            case .hits(let hits, let source, let raw):
                writer.member(.source, source.text)
                writer.name(.hits)
                writer.array { writer in
                    for hit in hits { writer.raw(AnswerTemplate(hit, withRaw: raw).bytes(at: now)) }
                }
            case .waiting(let notice, let source): notice.write(of: source, to: &writer)
            case .progress(let answered, let asked, let out):
                writer.member(.answered, answered)
                writer.member(.asked, asked)
                writer.member(.waitingFor, out.map(\.text))
            case .source: break
            }
        }
    }

    var method: NotificationName {
        switch self {
        case .hits: .hits
        case .waiting, .source: .source
        case .progress: .progress
        }
    }
}
