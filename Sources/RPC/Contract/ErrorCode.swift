package import SearchModel

/// A kind of error, with its JSON-RPC number and its meaning.
///
/// Several kinds can have the same number.
package struct ErrorCode: Sendable {
    package let kind: SearchError.Kind
    package let number: Int
    package let about: String

    private init(_ kind: SearchError.Kind, _ number: Int, _ about: String) {
        self.kind = kind
        self.number = number
        self.about = about
    }

    package static func number(of kind: SearchError.Kind) -> Int {
        all.first { $0.kind == kind }?.number ?? -32603
    }

    /// Use this if an error has a number but no `kind`.
    package static func kind(of number: Int) -> SearchError.Kind {
        all.first { $0.number == number }?.kind ?? .internal
    }

    package static let ofEveryRequest: [SearchError.Kind] = [
        .parseError, .invalidRequest, .lineTooLong, .tooDeep, .duplicateId, .methodNotFound, .invalidParams, .internal,
        .cancelled, .overloaded, .shuttingDown,
    ]

    package static let all = [
        ErrorCode(.parseError, -32700, "The line is not JSON, or not UTF-8."),
        ErrorCode(.invalidRequest, -32600, "The message is not a JSON-RPC request."),
        ErrorCode(.lineTooLong, -32600, "The line is longer than 1 MiB."),
        ErrorCode(.tooDeep, -32600, "The line is nested deeper than 64 levels."),
        ErrorCode(.duplicateId, -32600, "Another request with this id is in flight on the connection."),
        ErrorCode(.methodNotFound, -32601, "Unknown method. The hint has a similar name, if there is one."),
        ErrorCode(.invalidParams, -32602, "A parameter is missing, unknown or not valid; see “data.path”."),
        ErrorCode(.internal, -32603, "A bug in the daemon. Its log has the details."),
        ErrorCode(.cancelled, -32800, "The client cancelled the request."),
        ErrorCode(.superseded, -32800, "A newer request on the same channel replaced this request."),
        ErrorCode(.unknownSource, -32001, "Unknown source. The hint has a similar name, if there is one."),
        ErrorCode(.notConfigured, -32002, "The source has no key or is disabled."),
        ErrorCode(.unauthorized, -32002, "The source refused the key."),
        ErrorCode(.rateLimited, -32003, "A rate limit of the daemon or of the source is reached; see “retryAfter”."),
        ErrorCode(.quotaExhausted, -32004, "A quota of the source is used up; see “resetsAt”."),
        ErrorCode(
            .unavailable,
            -32005,
            "The source cannot be reached, answers 5xx, or is suspended because its calls failed repeatedly."
        ),
        ErrorCode(.badResponse, -32006, "The response of the source does not have the expected format."),
        ErrorCode(.timeout, -32007, "The source did not answer within the timeout."),
        ErrorCode(.overloaded, -32008, "The client or the daemon has too many requests in flight; see “retryAfter”."),
        ErrorCode(.shuttingDown, -32009, "The daemon is shutting down."),
        ErrorCode(.notFound, -32010, "Not found."),
        ErrorCode(.forbidden, -32011, "The user does not have permission."),
        ErrorCode(.limitReached, -32012, "A limit is reached, such as the maximum number of saved items."),
    ]
}
