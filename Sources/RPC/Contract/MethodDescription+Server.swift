import SearchModel

extension MethodDescription {
    /// Every method, in the order of `MethodName`.
    package static let all = [
        hello, ping, stats, metrics, reload, search, lookup, suggest, image, page, historyList, historyClear,
        librarySave, libraryRemove, libraryNote, libraryTag, libraryList, libraryGet, libraryWatch, libraryUnwatch,
        libraryRefresh, libraryBackup, sourceList, quotaSet, cacheStats, cacheClear, discover,
    ]

    package static let hello = MethodDescription(
        .hello,
        summary: "Returns the version, the protocol and the capabilities. The client may send its name.",
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
        summary: "Checks that the daemon answers.",
        result: [.required(.uptime, .number, "Seconds since the daemon started.")]
    )

    package static let stats = MethodDescription(
        .stats,
        summary: """
            Returns counters and gauges of the daemon, its cache, its calls and its connections. Also lists the \
            connected programs with their requests in flight, and recently failed calls to sources.
            """,
        result: statsResult
    )

    package static let metrics = MethodDescription(
        .metrics,
        summary: "Returns the metrics of server/stats in the text format of Prometheus, version 0.0.4.",
        result: [.required(.text, .text)]
    )

    package static let reload = MethodDescription(
        .reload,
        summary: """
            Reloads the configuration, source files and keys, and returns the changes. If a file has an error, nothing \
            changes, and the data of the error has the file, the line and the setting. \(admins)
            """,
        result: [
            .required(.changed, .texts, "The changed settings of the configuration."),
            .required(
                .sources,
                .object([.required(.added, .texts), .required(.removed, .texts), .required(.changed, .texts)])
            ),
            .required(.needsRestart, .texts, "The changed settings that take effect at the next start."),
        ],
        errors: [.forbidden]
    )

    package static let quotaSet = MethodDescription(
        .quotaSet,
        summary: """
            Sets the used calls or the spent money of all quotas with this name, in their current periods. Use this \
            method after the ledger was damaged. Sources that are paused because they reported an exhausted quota are \
            called again. \(admins)
            """,
        parameters: [
            .required(.name, .text, "The name of the quotas, as in source/list."),
            .required(.used, .number, "The number of used calls, or the spent amount. At most the limit of the quota."),
        ],
        result: [.required(.quota, .list(.component(.quota)), "These quotas, after the change.")],
        errors: [.forbidden, .unavailable]
    )

    package static let cacheStats = MethodDescription(
        .cacheStats,
        summary: "Returns the size and the hit counts of the shared cache.",
        result: cacheFields
    )

    package static let cacheClear = MethodDescription(
        .cacheClear,
        summary: """
            Removes the cached pages of a source, of a query, of a query at a source, or of all sources. A search that \
            continues with a cursor keeps its pages. \(admins)
            """,
        parameters: [
            .optional(.source, .text, "A name or a glob. Default: all sources."),
            .optional(.query, .text, "A query, normalised as in search. Default: all queries."),
        ],
        result: [.required(.removed, .count, "The number of removed pages.")],
        errors: [.unknownSource, .forbidden]
    )

    package static let discover = MethodDescription(
        .discover,
        summary: "Returns this description of the protocol in the format of OpenRPC.",
        result: [
            .required(.openrpc, .text), .required(.info, .map(.text)), .required(.methods, .list(.map(.anything))),
            .required(
                .notificationsExtension,
                .list(.map(.anything)),
                "The notifications, which OpenRPC does not describe."
            ),
            .required(.components, .map(.map(.anything))),
        ]
    )

    private static let admins = "Allowed for root, the daemon's user and members of “adminGroup”."
}
