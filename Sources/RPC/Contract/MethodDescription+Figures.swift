import SearchModel

extension MethodDescription {
    static let cacheFields: [Schema.Field] =
        FigureGroup.cache.fields + [
            .required(
                .disk,
                .either(.object(FigureGroup.disk.fields), .object([])),
                "The cache on disk, which is kept across restarts. An empty object if there is no such cache."
            )
        ]

    static let statsResult: [Schema.Field] = [
        .required(.uptime, .number, "Seconds since the daemon started."),
        .required(.reloadedAt, .time, "When the daemon last read its configuration without an error."),
        .optional(.reloadRefusedAt, .text, "When a reload was refused. Absent if the latest reload succeeded."),
        .optional(.offline, .time, "When a call last found this machine offline. Absent after a later response."),
        .required(
            .requests,
            .object([.required(.notifications, .count)], others: .count),
            """
            The number of answered requests by method. Methods on a user's own data are not counted. unknown: requests \
            with an unknown method. invalid: lines that were not valid requests.
            """
        ),
        .required(.searches, .object(FigureGroup.searches.fields)),
        .required(.connections, .object(FigureGroup.connections.fields)),
        .required(.clients, .list(.component(.client)), "The \(WireBounds.clientsMax) busiest programs."),
        .required(.cache, .object(cacheFields)),
        .required(
            .flights,
            .object(FigureGroup.flights.fields),
            "The calls in progress. Identical requests share a call."
        ),
        .required(
            .upstream,
            .map(.object([.required(.latency, .component(.histogram))], others: .count)),
            "By source: the number of calls by HTTP status or kind of error, and their durations."
        ),
        .required(.errors, .list(.component(.recentError)), "Recently failed calls, the newest first."),
        .required(
            .limits,
            .map(.object([.required(.state, .words(["free", "waiting", "open"])), .required(.left, .map(.number))])),
            "By source: its remaining quotas (calls or money), and its state. waiting: calls wait. open: suspended."
        ),
        .optional(
            .ledger,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why calls cannot be counted. Meanwhile, sources with a quota are not called."
        ),
        .optional(
            .cacheProblem,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why “memory.cacheBytes” is too large for the memory limit of the service. The hint has the line to change."
        ),
        .optional(
            .fleet,
            .object(
                [
                    .required(.state, .words(["ok", "offline"])), .required(.address, .text),
                    .optional(.name, .text, "The program and its version."),
                ] + FigureGroup.fleet.fields + [
                    .optional(.message, .text, "Why the shared server cannot be used."), .optional(.hint, .text),
                ]
            ),
            "The server through which hosts share limits and pages. Absent without “fleet” in the configuration."
        ),
        .required(.memory, .object(FigureGroup.memory.fields), "The use of memory, in bytes."),
        .required(.loop, .object(FigureGroup.loop.fields), "The event loop. Times are in milliseconds."),
        .optional(
            .personal,
            .object([
                .optional(.error, .component(.error), "Why the library cannot be used. Absent if it can."),
                .required(
                    .damaged,
                    .list(
                        .object([
                            .required(.at, .time, "When the damage was found."),
                            .optional(
                                .file,
                                .text,
                                "The new name of the damaged file. Absent if only rows were damaged."
                            ),
                            .optional(.copyAt, .time, "The time of the backup copy from which data was restored."),
                            .required(.restored, .count, "The number of rows restored from the copy. Some may be old."),
                            .required(.lost, .count, "The number of lost rows, which no backup copy has."),
                        ])
                    ),
                    "Damage to the user's file, the latest first. Items saved after the copy may be missing."
                ),
                .required(
                    .copies,
                    .list(.object([.required(.file, .text)] + copyFields)),
                    "The backup copies of the user's file, the newest first."
                ),
                .required(.file, .text, "The path of the user's file, even if the file does not exist yet."),
                .optional(.free, .count, "Free bytes on the file system of this file."),
            ]),
            "The caller's own library."
        ),
    ]
}

extension Schema.Component {
    package static let histogram = Schema.Component(
        "histogram",
        "A distribution of durations in milliseconds.",
        .object([
            .required(.count, .count), .required(.mean, .number),
            .required(.atMost, .map(.count), "For each bound, the number of durations up to this bound."),
        ])
    )

    package static let client = Schema.Component(
        "client",
        "The activity of one program of one user.",
        .object([
            .optional(.uid, .count, "The user id. Absent if the daemon cannot distinguish users."),
            .required(.pid, .count),
            .optional(.program, .text, "The name from server/hello, or else the name of the process."),
            .required(.connections, .count),
            .required(.requests, .count),
            .required(.streams, .count),
            .required(.channels, .count),
            .required(
                .doing,
                .list(
                    .object([
                        .required(.method, .text), .required(.count, .count),
                        .required(.age, .number, "Milliseconds since the oldest of these requests began."),
                    ])
                )
            ),
        ])
    )

    package static let recentError = Schema.Component(
        "recentError",
        "Failed calls to one source, with the same kind of error.",
        .object([
            .required(.source, .text), .required(.kind, .text), .required(.count, .count), .required(.first, .time),
            .required(.last, .time),
        ])
    )
}
