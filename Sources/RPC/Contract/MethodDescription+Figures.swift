import SearchModel

extension MethodDescription {
    static let cacheFields: [Schema.Field] =
        FigureGroup.cache.fields + [
            .required(
                .disk,
                .either(.object(FigureGroup.disk.fields), .object([])),
                "The pages that outlive the daemon; empty when none are kept on disk."
            )
        ]

    static let statsResult: [Schema.Field] = [
        .required(.uptime, .number, "Seconds."),
        .optional(.reloadRefusedAt, .text, "When the configuration was last refused; absent while it is in force."),
        .required(
            .requests,
            .object([.required(.notifications, .count)], others: .count),
            """
            Answered, by method; those on a user's own data are counted nowhere. unknown: of no method; invalid: lines \
            that were not a request.
            """
        ),
        .required(.searches, .object(FigureGroup.searches.fields)),
        .required(.connections, .object(FigureGroup.connections.fields)),
        .required(.clients, .list(.component(.client)), "The busiest \(WireBounds.clientsMax)."),
        .required(.cache, .object(cacheFields)),
        .required(.flights, .object(FigureGroup.flights.fields), "Calls to sources, which callers share."),
        .required(
            .upstream,
            .map(.object([.required(.latency, .component(.histogram))], others: .count)),
            "By source: calls by HTTP status or kind of error, and how long they took."
        ),
        .required(.errors, .list(.component(.recentError)), "Calls that failed lately, the newest first."),
        .required(
            .limits,
            .map(.object([.required(.state, .words(["free", "waiting", "open"])), .required(.left, .map(.count))])),
            "By source: whether a call would wait or the breaker is open, and how much is left of its quotas."
        ),
        .optional(
            .ledger,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why calls can't be counted now; sources with a quota wait until they can be."
        ),
        .optional(
            .cacheProblem,
            .object([.required(.message, .text), .required(.hint, .text)]),
            "Why memory.cacheBytes does not fit the memory that the service may use, and the line to change."
        ),
        .required(.memory, .object(FigureGroup.memory.fields), "Bytes."),
        .required(.loop, .object(FigureGroup.loop.fields), "Milliseconds."),
        .optional(
            .personal,
            .object([
                .optional(.error, .component(.error), "Why it can't be used, when it can't."),
                .required(
                    .damaged,
                    .list(
                        .object([
                            .required(.at, .time, "When it was found."),
                            .optional(.file, .text, "The one set aside; absent when single rows were damaged."),
                            .optional(.copyAt, .time, "When the copy was made that it was restored from."),
                            .required(.restored, .count, "Rows taken from a copy, perhaps an older state of them."),
                            .required(.lost, .count, "Rows that no copy had."),
                        ])
                    ),
                    "Damage that was found, the latest first: items saved after the copy may be missing."
                ),
                .required(
                    .copies,
                    .list(.object([.required(.file, .text)] + copyFields)),
                    "The copies of the file, the newest first."
                ),
                .required(.file, .text, "Where it is, or would be."),
                .optional(.free, .count, "Bytes left on its file system."),
            ]),
            "The caller's own library."
        ),
    ]
}

extension Schema.Component {
    package static let histogram = Schema.Component(
        "histogram",
        "How long things took, in milliseconds.",
        .object([
            .required(.count, .count), .required(.mean, .number),
            .required(.atMost, .map(.count), "By bound: how many took at most so long."),
        ])
    )

    package static let client = Schema.Component(
        "client",
        "The activity of one program of one user.",
        .object([
            .optional(.uid, .count, "Absent when the kernel shows the daemon several users as one."),
            .required(.pid, .count),
            .optional(.program, .text, "As it named itself, else as the system does."),
            .required(.connections, .count),
            .required(.requests, .count),
            .required(.streams, .count),
            .required(.channels, .count),
            .required(
                .doing,
                .list(
                    .object([
                        .required(.method, .text), .required(.count, .count),
                        .required(.age, .number, "Milliseconds since the oldest began."),
                    ])
                )
            ),
        ])
    )

    package static let recentError = Schema.Component(
        "recentError",
        "Calls of one source that failed alike.",
        .object([
            .required(.source, .text), .required(.kind, .text), .required(.count, .count), .required(.first, .time),
            .required(.last, .time),
        ])
    )
}
