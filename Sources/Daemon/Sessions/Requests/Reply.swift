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
    case picture(Picture, CacheUse)
    case failure(SearchError)

    /// The kind of its error; nil for a result.
    var errorKind: String? {
        switch self {
        case .failure(let error): error.kind.rawValue
        case .result, .search, .picture: nil
        }
    }

    /// The most bytes it takes when it is written, without what is around a result; of a failure a guess.
    var bytesMax: Int {
        switch self {
        case .result(let bytes): bytes.count
        case .search(let template, _): template.bytesMax
        case .picture(let picture, _): picture.text.count + 128
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
}
