import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// How everything that a session sends becomes a line: JSON-RPC 2.0.
///
/// Answers, notices and batches are values until they are written here.
enum WireLine {
    // MARK: Answers

    /// More than an answer's own bytes, those around its id and its result.
    static let envelopeBytes = 64

    /// Appends an answer, without its line end.
    static func write(_ reply: Reply, to id: RequestID, into output: inout [UInt8], at now: Instant) {
        switch reply {
        case .result(let bytes):
            beginAnswer(to: id.text, into: &output)
            output.append(contentsOf: bytes)
            output.append(UInt8(ascii: "}"))
        case .search(let template, let startedAt):
            beginAnswer(to: id.text, into: &output)
            template.write(to: &output, now: now, since: startedAt)
            output.append(UInt8(ascii: "}"))
        case .picture(let picture, let use):
            beginAnswer(to: id.text, into: &output)
            write(picture, use, into: &output)
            output.append(UInt8(ascii: "}"))
        case .failure(let error):
            var writer = JSONWriter()
            MessageWriter.failure(id, error, to: &writer)
            output.append(contentsOf: writer.bytes)
        }
    }

    /// Appends a picture as a result: its text is long, and copied once.
    private static func write(_ picture: Picture, _ use: CacheUse, into output: inout [UInt8]) {
        output.append(contentsOf: "{\"type\":\"\(picture.format.rawValue)\",\"data\":\"".utf8)
        output.append(contentsOf: picture.text)
        output.append(contentsOf: "\",\"bytes\":\(picture.byteCount),\"cache\":\"\(use.rawValue)\"}".utf8)
    }

    private static func beginAnswer(to id: UnsafeRawBufferPointer, into room: inout ByteRoom) {
        room.copy("{\"jsonrpc\":\"2.0\",\"id\":")
        unsafe room.copy(id)
        room.copy(",\"result\":")
    }

    private static func beginAnswer(to id: [UInt8], into output: inout [UInt8]) {
        output.append(atMost: envelopeBytes + id.count) { room in
            // The id lives through the closure.
            unsafe id.withUnsafeBytes { unsafe beginAnswer(to: $0, into: &room) }
        }
    }

    /// The answer to something that has no id to answer to, with its line end.
    static func refusal(_ error: SearchError, at now: Instant) -> [UInt8] {
        var line: [UInt8] = []
        write(.failure(error), to: .null, into: &line, at: now)
        return line + [UInt8(ascii: "\n")]
    }

    // MARK: Notices

    /// A notification, with its line end.
    static func notice(_ method: String, _ params: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        MessageWriter.notification(method, to: &writer, params: params)
        writer.endLine()
        return writer.bytes
    }

    /// What a request reports before its answer, with its line end.
    static func notice(_ notice: StreamNotice, of request: RequestID, at now: Instant) -> [UInt8] {
        self.notice(notice.method.rawValue) { notice.write(of: request, at: now, to: &$0) }
    }
}
