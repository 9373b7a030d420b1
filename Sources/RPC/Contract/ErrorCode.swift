package import SearchModel

/// A kind of error: its number in JSON-RPC, and when it is answered.
///
/// This table is the only place of the numbers.
package struct ErrorCode: Sendable {
    package let kind: SearchError.Kind
    package let number: Int
    package let about: String

    private init(_ kind: SearchError.Kind, _ number: Int, _ about: String) {
        self.kind = kind
        self.number = number
        self.about = about
    }

    /// The number of a kind; a kind that the table lacks counts as a defect here.
    package static func number(of kind: SearchError.Kind) -> Int {
        all.first { $0.kind == kind }?.number ?? -32603
    }

    /// The kind of a number, for an error that does not say it; of several the first.
    package static func kind(of number: Int) -> SearchError.Kind {
        all.first { $0.number == number }?.kind ?? .internal
    }

    /// The errors of any request.
    package static let ofEveryRequest: [SearchError.Kind] = [
        .parseError, .invalidRequest, .lineTooLong, .tooDeep, .duplicateId, .methodNotFound, .invalidParams, .internal,
        .cancelled, .overloaded, .shuttingDown,
    ]

    package static let all = [
        ErrorCode(.parseError, -32700, "The line is not JSON, or not UTF-8."),
        ErrorCode(.invalidRequest, -32600, "The message is not a JSON-RPC request."),
        ErrorCode(.lineTooLong, -32600, "The line is longer than 1 MiB."),
        ErrorCode(.tooDeep, -32600, "The line is nested deeper than 64 levels."),
        ErrorCode(.duplicateId, -32600, "A request with this id is in flight on the connection."),
        ErrorCode(.methodNotFound, -32601, "Unknown method; the hint names the nearest."),
        ErrorCode(.invalidParams, -32602, "A parameter is wrong or unknown; data.path names it."),
        ErrorCode(.internal, -32603, "A defect in the daemon; its log has the details."),
        ErrorCode(.cancelled, -32800, "The client cancelled the request."),
        ErrorCode(.superseded, -32800, "A newer request on the same channel replaced it."),
        ErrorCode(.unknownSource, -32001, "Unknown source; the hint names the nearest."),
        ErrorCode(.notConfigured, -32002, "The source needs a key that is missing, or is switched off."),
        ErrorCode(.unauthorized, -32002, "The source refused the key."),
        ErrorCode(.rateLimited, -32003, "The daemon's limit for the source, or the source's own; see retryAfter."),
        ErrorCode(.quotaExhausted, -32004, "A quota of the source is used up; see resetsAt."),
        ErrorCode(
            .unavailable,
            -32005,
            "The source can't be reached, answers 5xx, or failed so often that it is not called."
        ),
        ErrorCode(.badResponse, -32006, "The source answered something that is not its format."),
        ErrorCode(.timeout, -32007, "The source did not answer within the timeout."),
        ErrorCode(.overloaded, -32008, "This client, or the daemon, has too much in flight; see retryAfter."),
        ErrorCode(.shuttingDown, -32009, "The daemon is shutting down."),
        ErrorCode(.notFound, -32010, "Not found."),
        ErrorCode(.forbidden, -32011, "This user may not do that."),
        ErrorCode(.limitReached, -32012, "A limit is reached, such as that of items in a library."),
    ]
}
