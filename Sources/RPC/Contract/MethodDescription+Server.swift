import SearchModel

extension MethodDescription {
    /// Every method, in the order of `MethodName`.
    package static let all = [
        hello, ping, stats, metrics, reload, search, lookup, suggest, image, historyList, historyClear, librarySave,
        libraryRemove, libraryNote, libraryTag, libraryList, libraryGet, libraryWatch, libraryUnwatch, libraryRefresh,
        libraryBackup,
        sourceList, quotaSet, cacheStats, cacheClear, discover,
    ]

    package static let hello = MethodDescription(
        .hello,
        summary: "Version, protocol and capabilities; the client may name itself.",
        parameters: [
            .optional(.client, .text, "The client's name, at most \(WireBounds.clientBytesMax) bytes.")
        ],
        result: [
            .required(.server, .text), .required(.version, .text), .required(.protocol, .count),
            .required(.capabilities, .texts), .required(.pid, .count), .required(.uid, .count),
        ]
    )

    package static let ping = MethodDescription(
        .ping,
        summary: "Whether the daemon answers, and for how many seconds it has been up.",
        result: [.required(.uptime, .number)]
    )

    package static let stats = MethodDescription(
        .stats,
        summary: """
            Counters and gauges of the daemon, its cache, its calls and its connections; who is connected and which \
            methods are at work for them; and which calls to sources failed lately.
            """,
        result: statsResult
    )

    package static let metrics = MethodDescription(
        .metrics,
        summary: "The figures of server/stats in the text format of Prometheus, version 0.0.4.",
        result: [.required(.text, .text)]
    )

    package static let reload = MethodDescription(
        .reload,
        summary: """
            Reads configuration, sources and keys again, and answers what has changed. When anything is wrong, \
            everything stays as it was, and the error's data name file, line and key. For root, the daemon's own user \
            and its adminGroup.
            """,
        result: [
            .required(.changed, .texts, "Keys of the configuration."),
            .required(
                .sources,
                .object([.required(.added, .texts), .required(.removed, .texts), .required(.changed, .texts)])
            ),
            .required(.needsRestart, .texts, "Changed keys that take effect at the next start."),
        ],
        errors: [.forbidden]
    )

    package static let quotaSet = MethodDescription(
        .quotaSet,
        summary: """
            Corrects what is used of every quota with a name, in its present window, for example after the ledger was \
            damaged. For root, the daemon's own user and its adminGroup.
            """,
        parameters: [
            .required(.name, .text, "As source/list has it."),
            .required(.used, .integer(0...WireBounds.quotaUsedMax), "Calls."),
        ],
        result: [.required(.quota, .list(.component(.quota)), "These quotas afterwards.")],
        errors: [.forbidden, .unavailable]
    )

    package static let cacheStats = MethodDescription(
        .cacheStats,
        summary: "How the shared cache is doing.",
        result: cacheFields
    )

    package static let cacheClear = MethodDescription(
        .cacheClear,
        summary: """
            Removes the cached pages of a source, of a query, of both together, or all of them; a walk along a cursor \
            keeps its pages. For root, the daemon's own user and the members of its adminGroup.
            """,
        parameters: [
            .optional(.source, .text, "A name or a glob; without it, of every source."),
            .optional(.query, .text, "In any spelling of search; without it, every query."),
        ],
        result: [.required(.removed, .count, "How many pages.")],
        errors: [.unknownSource, .forbidden]
    )

    package static let discover = MethodDescription(
        .discover,
        summary: "This document.",
        result: [
            .required(.openrpc, .text), .required(.info, .map(.text)), .required(.methods, .list(.map(.anything))),
            .required(.notificationsExtension, .list(.map(.anything)), "The notifications."),
            .required(.components, .map(.map(.anything))),
        ]
    )
}
