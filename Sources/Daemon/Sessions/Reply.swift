import Engine
import EventLoop
import Fetching
import JSON
import RPC
import SearchModel

/// The answer to a request before it is serialized.
enum Reply: Sendable {
    case result([UInt8])
    case search(AnswerTemplate, startedAt: Instant)
    case picture(FetchedFile, CacheUse)
    case failure(SearchError)

    var errorKind: String? {
        if case .failure(let error) = self { error.kind.rawValue } else { nil }
    }

    /// An upper bound of the serialized size; an estimate for a failure.
    var bytesMax: Int {
        switch self {
        case .result(let bytes): bytes.count
        case .search(let template, _): template.bytesMax
        case .picture(let picture, _): picture.text.count + 128
        case .failure(let error): 512 + (error.trace?.count ?? 0)
        }
    }

    static func object(_ body: (inout JSONWriter) -> Void) -> Reply {
        var writer = JSONWriter()
        writer.object(body)
        // The reply may wait for its client, so unused memory is freed.
        return .result(writer.bytes.capacity > 2 * writer.bytes.count ? Array(writer.bytes[...]) : writer.bytes)
    }
}

/// Writes answers and notifications as JSON.
enum WireLine {
    private static let answerHead = Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8)
    private static let resultName = Array(",\"result\":".utf8)

    static func write(_ reply: Reply, to id: RequestID, into output: inout [UInt8], at now: Instant) {
        if case .failure(let error) = reply {
            var writer = JSONWriter()
            MessageWriter.failure(id, error, to: &writer)
            output += writer.bytes
            return
        }
        output += answerHead
        output += id.text
        output += resultName
        switch reply {
        case .result(let bytes): output += bytes
        case .search(let template, let startedAt): template.write(to: &output, now: now, since: startedAt)
        case .picture(let picture, let use):
            output += "{\"type\":\"\(picture.type)\",\"data\":\"".utf8
            output += picture.text
            output += "\",\"bytes\":\(picture.byteCount),\"cache\":\"\(use.rawValue)\"}".utf8
        case .failure: break
        }
        output.append(UInt8(ascii: "}"))
    }

    static func refusal(_ error: SearchError, at now: Instant) -> [UInt8] {
        var line: [UInt8] = []
        write(.failure(error), to: .null, into: &line, at: now)
        return line + [UInt8(ascii: "\n")]
    }

    static func notice(_ method: String, _ params: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        MessageWriter.notification(method, to: &writer, params: params)
        writer.endLine()
        return writer.bytes
    }
}
