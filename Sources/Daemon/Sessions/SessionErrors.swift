import SearchModel

/// Errors that any request on a connection can get.
enum SessionErrors {
    static let cancelled = Reply.failure(SearchError(.cancelled, "the request was cancelled", retryable: false))

    static let superseded = Reply.failure(
        SearchError(.superseded, "a newer request on the channel has replaced this one", retryable: false)
    )

    static let duplicateID = SearchError(
        .duplicateId,
        "a request with this id is in flight on this connection",
        retryable: false,
        hint: "Use a different id for every request."
    )

    static let answerTooLarge = Reply.failure(
        SearchError(
            .overloaded,
            "the answer is larger than \(SessionLimits.answerBytes >> 20) MiB",
            retryable: false,
            hint: "Use a smaller \"limit\", or send smaller batches."
        )
    )

    static let answersUnread = Reply.failure(
        SearchError(
            .overloaded,
            "this user's connections hold too many answers that have not been read",
            retryable: true,
            retryAfter: .seconds(1),
            hint: "Read the pending answers, then send the request again."
        )
    )

    static let tooManySubscriptions = SearchError(
        .limitReached,
        "this connection or this user has too many subscriptions",
        retryable: false,
        hint: "End a subscription first."
    )

    static let shuttingDown = SearchError(
        .shuttingDown,
        "the daemon is shutting down",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Connect again in a moment."
    )
}
