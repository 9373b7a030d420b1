import SearchModel

extension MethodDescription {
    static let cacheFields: [Schema.Field] =
        FigureGroup.cache.fields + [
            .required(
                .disk,
                .either(.object(FigureGroup.disk.fields), .object([])),
                "The cache on disk, which survives restarts. Empty if there is none."
            )
        ]

    static let statsResult: [Schema.Field] = [
        .required(.uptime, .number, "Seconds since the daemon started."),
        .optional(.reloadRefusedAt, .text, "When a reload was refused. Absent if the latest reload succeeded."),
        .required(
            .requests,
            .object([.required(.notifications, .count)], others: .count),
            """
            The number of answered requests by method. Methods on a user's own data are not counted. unknown: unknown \
            methods. invalid: lines that were not a request.
            """
        ),
        .required(.searches, .object(FigureGroup.searches.fields)),
        .required(.connections, .object(FigureGroup.connections.fields)),
        .required(.clients, .list(.component(.client)), "The \(WireBounds.clientsMax) busiest programs."),
        .required(.cache, .object(cacheFields)),
        .required(
            .flights,
            .object(FigureGroup.flights.fields),
            "Calls to sources in progress; identical requests share a call."
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
            "By source: what is left of its quotas, in calls or money, and its state (waiting: calls wait; open: suspended)."
        ),
        .optional(
            .ledger,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why calls can't be counted now. Until they can be, sources with a quota are not called."
        ),
        .optional(
            .cacheProblem,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why memory.cacheBytes does not fit the memory limit of the service, and the line to change."
        ),
        .optional(
            .fleet,
            .object(
                [
                    .required(.state, .words(["ok", "offline"])), .required(.address, .text),
                    .optional(.name, .text, "The program and its version."),
                ] + FigureGroup.fleet.fields + [
                    .optional(.message, .text, "Why the engine can't be used."), .optional(.hint, .text),
                ]
            ),
            "The engine through which hosts share limits and pages. Absent without “fleet” in the configuration."
        ),
        .required(.memory, .object(FigureGroup.memory.fields), "Bytes."),
        .required(.loop, .object(FigureGroup.loop.fields), "Milliseconds."),
        .optional(
            .personal,
            .object([
                .optional(.error, .component(.error), "Why the library can't be used. Absent if it can."),
                .required(
                    .damaged,
                    .list(
                        .object([
                            .required(.at, .time, "When the damage was found."),
                            .optional(
                                .file,
                                .text,
                                "The damaged file that was moved aside. Absent if only rows were damaged."
                            ),
                            .optional(.copyAt, .time, "The time of the copy from which it was restored."),
                            .required(.restored, .count, "Rows restored from a copy, maybe to an older state."),
                            .required(.lost, .count, "Rows that are lost, because no copy has them."),
                        ])
                    ),
                    "Damage to the file, the latest first. Items saved after the copy may be missing."
                ),
                .required(
                    .copies,
                    .list(.object([.required(.file, .text)] + copyFields)),
                    "The copies of the file, the newest first."
                ),
                .required(.file, .text, "The path of the file, even if it does not exist yet."),
                .optional(.free, .count, "Free bytes on its file system."),
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
            .required(.atMost, .map(.count), "By bound: the number of durations up to this bound."),
        ])
    )

    package static let client = Schema.Component(
        "client",
        "The activity of one program of one user.",
        .object([
            .optional(.uid, .count, "Absent if the kernel maps several users to one for the daemon."),
            .required(.pid, .count),
            .optional(.program, .text, "The name from server/hello, otherwise the name of the process."),
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
