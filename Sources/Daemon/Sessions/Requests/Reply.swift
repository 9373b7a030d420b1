import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// What a request is answered with, before it is written: small, however long the text will be.
enum Reply: Sendable {
    /// The text of the result.
    case result([UInt8])
    case search(AnswerTemplate, startedAt: Instant)
    case failure(SearchError)

    /// The kind of its error; nil for a result.
    var errorKind: String? {
        if case .failure(let error) = self { error.kind.rawValue } else { nil }
    }

    /// The most bytes it takes when it is written, without what is around a result; of a failure a guess.
    var bytesMax: Int {
        switch self {
        case .result(let bytes): bytes.count
        case .search(let template, _): template.bytesMax
        case .failure(let error): 512 + (error.trace?.count ?? 0)
        }
    }

    /// A result written with the JSON writer.
    static func writing(_ body: (inout JSONWriter) -> Void) -> Reply {
        var writer = JSONWriter()
        body(&writer)
        // Writing grows an array in leaps, and this one may wait for its reader; the pointer stays within the call.
        return .result(unsafe writer.bytes.withUnsafeBufferPointer { unsafe Array($0) })
    }

    /// Appends the whole answer, without its line end.
    func write(id: RequestID, to output: inout [UInt8], now: Instant) {
        switch self {
        case .result(let bytes):
            Self.begin(id.text, to: &output)
            output.append(contentsOf: bytes)
            output.append(UInt8(ascii: "}"))
        case .search(let template, let startedAt):
            Self.begin(id.text, to: &output)
            template.write(to: &output, now: now, since: startedAt)
            output.append(UInt8(ascii: "}"))
        case .failure(let error):
            var writer = JSONWriter()
            MessageWriter.failure(id, error, to: &writer)
            output.append(contentsOf: writer.bytes)
        }
    }

    /// More than an answer's own bytes, those around its id and its result.
    static let envelopeBytes = 64

    /// Writes an answer up to its result.
    static func begin(_ id: UnsafeRawBufferPointer, to room: inout ByteRoom) {
        room.copy("{\"jsonrpc\":\"2.0\",\"id\":")
        unsafe room.copy(id)
        room.copy(",\"result\":")
    }

    /// Appends the same.
    private static func begin(_ id: [UInt8], to output: inout [UInt8]) {
        output.append(atMost: envelopeBytes + id.count) { room in
            // The id lives through the closure.
            unsafe id.withUnsafeBytes { unsafe begin($0, to: &room) }
        }
    }
}
