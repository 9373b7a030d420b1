import JSON
import SearchModel

extension MethodDescription {
    package static let sourceList = MethodDescription(
        .sourceList,
        summary: """
            Lists all sources, sorted by name, with their limits, quotas, health and options. The last two sources, \
            “library” and “seen”, are the caller's own data. They need no call and work offline. They are searched \
            only if the request or the configuration selects them by name. If the value of a member is unknown, the \
            member is absent. If the file of a source is not valid, nearly all members are absent.
            """,
        result: [
            .required(.sources, .list(.component(.sourceEntry))),
            .required(
                .profiles,
                .list(.component(.profile)),
                "The groups of sources, sorted by name."
            ),
        ],
        tool: AgentTool(
            name: "sources",
            title: "Sources",
            useWhen: """
                Lists the sources that can be searched, and how many calls are left of their quotas. If “all” is true, \
                also lists options and limits. Costs nothing.
                """,
            ownParameters: [
                .optional(
                    .all,
                    .flag,
                    "Adds options, limits, and the sources that cannot be searched, with the reason.",
                    default: false
                )
            ],
            leavesOut: [.account, .keyNeeded, .keys, .attribution, .since, .status, .local],
            ownResult: [
                .optional(.callsLeft, .map(.count), "If “all” is false: the remaining calls by quota."),
                AgentTool.leftOut,
            ]
        )
    )
}

extension Schema.Component {
    package static let sourceEntry = Schema.Component(
        "sourceEntry",
        "A source, which is listed even if it cannot be called.",
        .object([
            .required(.source, .text),
            .optional(.kind, .text),
            .required(.account, .text, "The first part of the name."),
            .optional(.title, .text),
            .required(.enabled, .flag),
            .optional(
                .reason,
                .words(DisabledReason.allCases),
                "notConfigured: a key is missing. disabled: by the configuration. invalid: its file has an error."
            ),
            .optional(.local, .flag, "True for the caller's own data."),
            .optional(.keyNeeded, .flag),
            .optional(
                .keys,
                .list(
                    .object([
                        .required(.way, .text, "The name of the way to authenticate. Empty if there is only one."),
                        .required(
                            .secrets,
                            .list(
                                .object([
                                    .required(.name, .text),
                                    .optional(.about, .text, "A description of the secret, and where to get it."),
                                    .required(.present, .flag),
                                ])
                            )
                        ),
                    ])
                ),
                "The ways to authenticate that need secrets. The first way whose secrets are all present is used."
            ),
            .required(
                .limits,
                .object([
                    .optional(.perSecond, .number), .optional(.perDay, .count), .optional(.concurrency, .count),
                ])
            ),
            .required(.quota, .list(.component(.quota))),
            .optional(
                .health,
                .words(HealthState.allCases),
                """
                waiting: calls wait, the source asked for a pause, or a quota is used up. failing: the latest calls \
                failed. open: the source is suspended because its calls failed repeatedly. It is called again from \
                time to time.
                """
            ),
            .optional(
                .stopped,
                .text,
                "Why the source is not called. An administrator must change the configuration to end this."
            ),
            .optional(.since, .time, "When the health last stopped being ok, if known."),
            .optional(
                .failure,
                .object([
                    .required(.failures, .count, "The number of consecutive failed calls."),
                    .required(.kind, .words(ErrorCode.all.map(\.kind)), "The kind of the latest failure."),
                    .required(.message, .text, "The message of the latest failure, for people."),
                    .optional(.status, .count, "The HTTP status of the latest failure, if it has one."),
                    .optional(.retryAfter, .count, "If the source is suspended: milliseconds until the next call."),
                ]),
                "Why the source is failing or suspended."
            ),
            .optional(.attribution, .text, "A text that must be shown with its hits."),
            .required(
                .options,
                .map(.component(.option)),
                "The source's additional search parameters, by name."
            ),
        ])
    )

    package static let profile = Schema.Component(
        "profile",
        "A named group of sources.",
        .object([
            .required(.name, .text, "The name, which begins with @."),
            .optional(.about, .text, "A short description."),
            .required(
                .sources,
                .texts,
                """
                The sources of the group that can be called, sorted by name. If an account has one source \
                for each language, the source for the daemon's locale is listed. But a query in Hangul searches the \
                Korean source, and a query in kana the Japanese source.
                """
            ),
            .optional(
                .off,
                .texts,
                "The sources that are disabled or have no key. Absent if empty."
            ),
        ])
    )

    package static let quota = Schema.Component(
        "quota",
        "A limit on the number or the cost of calls in a period, for one source or for all sources of an account.",
        .object([
            .required(.name, .text),
            .optional(.unit, .text, "The currency of all amounts, such as USD. Absent if the amounts are calls."),
            .required(.limit, .number),
            .required(.used, .number),
            .required(.left, .number),
            .optional(.cost, .number, "The maximum cost of a call. Absent if the amounts are calls."),
            .required(.resetsAt, .time, "When the period ends, in the time zone of the source."),
            .optional(
                .forecast,
                .time,
                "When the quota will be used up at the current rate. Absent if it will last, or if few calls were made."
            ),
            .optional(
                .estimated,
                .flag,
                """
                True if the used amount is an estimate, because the ledger was damaged. If the quota counts calls \
                and its period is a day or less, the estimate is half of the limit. For other quotas, it is the \
                whole limit. To correct the amount, call quota/set.
                """
            ),
        ])
    )

    package static let option = Schema.Component(
        "option",
        "An additional search parameter of a source.",
        .object([
            .required(.type, .words(OptionType.allCases)),
            .optional(.values, .texts, "The values of a choice."),
            .optional(.min, .integer(.min ... .max), "The smallest valid integer."),
            .optional(.max, .integer(.min ... .max), "The largest valid integer."),
            .optional(.maxBytes, .count, "The maximum length of a string."),
            .optional(.default, .text),
            .optional(.about, .text),
        ])
    )
}
