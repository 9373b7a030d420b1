import SearchModel

/// What a session answers of its own.
enum SessionErrors {
    static let cancelled = Reply.failure(SearchError(.cancelled, "the request was cancelled", retryable: false))

    static let superseded = Reply.failure(
        SearchError(.superseded, "a newer request on the channel has replaced this one", retryable: false)
    )

    static let duplicateID = SearchError(
        .duplicateId,
        "a request with this id is in flight on this connection",
        retryable: false,
        hint: "Give every request an id of its own."
    )

    static let overloaded = SearchError(
        .overloaded,
        "this connection has \(SessionRequests.countMax) requests in flight",
        retryable: true,
        retryAfter: .milliseconds(500),
        hint: "Wait for answers before asking more."
    )

    static let memoryIsShort = SearchError(
        .overloaded,
        "other requests hold the memory that this one needs",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Read the answers that are due, ask for less at a time, or try again later."
    )

    static let shuttingDown = SearchError(
        .shuttingDown,
        "the daemon is shutting down",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Connect again in a moment."
    )
}
