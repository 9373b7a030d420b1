import SearchModel

/// What agents and the daemon tell one another, as the Model Context Protocol has it.
extension NotificationDescription {
    package static let agentProgress = NotificationDescription(
        .agentProgress,
        summary: "Sent to an agent that has given a progress token with its tools/call: how far that has come.",
        params: [
            .required(.progressToken, .either(.text, .number), "As it was given."),
            .required(.progress, .count, "How many sources have answered."),
            .required(.total, .count, "How many are asked."),
            .required(.message, .text, "With the names of those that are still out."),
        ]
    )

    package static let cancelled = NotificationDescription(
        .cancelled,
        summary: "Sent by an agent: ends a request of that protocol, which gets no answer then.",
        params: [
            .required(.requestId, .either(.text, .integer(.min ... .max)), "The id of the request."),
            .optional(.reason, .text),
        ]
    )
}
