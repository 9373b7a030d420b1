package import JSON
package import SearchModel

/// One JSON-RPC message as offsets into the index of its line; small, and nothing is copied.
package struct Envelope {
    package enum Shape: Equatable, Sendable {
        case request
        case notification
        /// Not a request; answered with the error, under its id when that could be read.
        case invalid(EnvelopeProblem)
    }

    package var shape: Shape
    /// The entries of the members, where the message has them.
    package var id: JSONEntry?
    package var method: JSONEntry?
    /// The offset of the parameters in the index.
    package var params: Int?
}

/// Why a message is not a request.
package enum EnvelopeProblem: Sendable {
    case notAnObject
    case emptyBatch
    case batchTooLong
    case versionMissing
    case methodMissing
    case idInvalid
    case paramsInvalid
    case memberTwice

    package var error: SearchError {
        let (message, hint): (String, String) =
            switch self {
            case .notAnObject: ("a message is an object", "Send {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":…}.")
            case .emptyBatch: ("the batch is empty", "A batch holds at least one message.")
            case .batchTooLong:
                ("the batch holds more than \(Batch.messagesMax) messages", "Send several smaller batches.")
            case .versionMissing: ("\"jsonrpc\" is not \"2.0\"", "Every message carries \"jsonrpc\":\"2.0\".")
            case .methodMissing: ("\"method\" is missing or not a string", "Name the method; rpc.discover lists them.")
            case .idInvalid:
                (
                    "the id is not a string, an integer or null of at most \(RequestID.bytesMax) bytes",
                    "Number the requests 1, 2, 3 and so on."
                )
            case .paramsInvalid: ("\"params\" is neither an object nor an array", "Send the parameters by name.")
            case .memberTwice: ("a member of the message stands twice", "Send each member once.")
            }
        return SearchError(.invalidRequest, message, retryable: false, hint: hint)
    }
}

/// The limit on batches.
package enum Batch {
    package static let messagesMax = 1000
}
