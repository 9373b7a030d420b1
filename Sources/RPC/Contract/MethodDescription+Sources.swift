import JSON
import SearchModel

extension MethodDescription {
    package static let sourceList = MethodDescription(
        .sourceList,
        summary: """
            Every source in the order of the names, then the caller's own data (library and seen, which cost no call, \
            work offline, and are asked only when they are named or configured): whether it is enabled, its limits and quotas, its health, its \
            options. What is not known is absent; of a source whose file is wrong that is nearly all.
            """,
        result: [
            .required(.sources, .list(.component(.sourceEntry))),
            .required(.profiles, .list(.component(.profile)), "The groups of sources, in the order of their names."),
        ],
        tool: AgentTool(
            name: "sources",
            title: "Sources",
            useWhen: """
                Lists the sources that can be searched and how many calls are left of their quotas; with all, also their \
                options and limits. It asks no source and costs nothing.
                """,
            ownParameters: [
                .optional(.all, .flag, "Also sources that can't be searched and why, options, limits.", default: false)
            ],
            leavesOut: [.account, .keyNeeded, .keys, .attribution, .since, .status, .local],
            ownResult: [
                .optional(.callsLeft, .map(.count), "Without all: by quota, how many calls are left."),
                AgentTool.leftOut,
            ]
        )
    )
}

extension Schema.Component {
    package static let sourceEntry = Schema.Component(
        "sourceEntry",
        "A source, whether it can be asked or not.",
        .object([
            .required(.source, .text),
            .optional(.kind, .text),
            .required(.account, .text, "The first part of its name."),
            .optional(.title, .text),
            .required(.enabled, .flag),
            .optional(
                .reason,
                .words(DisabledReason.allCases),
                "Only when it is not enabled: a key is missing, it is switched off, its file is wrong."
            ),
            .optional(.local, .flag, "True of the caller's own data."),
            .optional(.keyNeeded, .flag),
            .optional(
                .keys,
                .list(
                    .object([
                        .required(.way, .text, "Empty when there is only one."),
                        .required(
                            .secrets,
                            .list(
                                .object([
                                    .required(.name, .text),
                                    .optional(.about, .text, "Its meaning and where to get it."),
                                    .required(.present, .flag),
                                ])
                            )
                        ),
                    ])
                ),
                "The ways to ask that need secrets; the first whose secrets are all present is used."
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
                waiting: calls wait, it told the daemon to back off, or a quota is used up; failing: its latest calls \
                failed; open: it failed so often that it is not called, but tried now and then.
                """
            ),
            .optional(.since, .time, "Since when it is not ok, as far as is known."),
            .optional(
                .failure,
                .object([
                    .required(.failures, .count, "How many calls in a row have failed."),
                    .required(.kind, .words(ErrorCode.all.map(\.kind)), "Of the latest failure."),
                    .required(.message, .text, "Of the latest failure, for a person."),
                    .optional(.status, .count, "The HTTP status of the latest failure, when there was one."),
                    .optional(.retryAfter, .count, "Milliseconds until it is called again, when it is suspended."),
                ]),
                "Why it is failing or suspended."
            ),
            .optional(.attribution, .text, "To be shown with its hits."),
            .required(
                .options,
                .map(.component(.option)),
                "By name: its additional search parameters."
            ),
        ])
    )

    package static let profile = Schema.Component(
        "profile",
        "A named group of sources.",
        .object([
            .required(.name, .text, "Begins with @."),
            .optional(.about, .text, "A short description."),
            .required(
                .sources,
                .texts,
                """
                Those that it means now, in the order of their names: of its members those that can be asked, and of a \
                source with an edition for each language the one of the daemon's locale, although a query in Hangul or \
                kana has the Korean or the Japanese one asked.
                """
            ),
            .optional(
                .off,
                .texts,
                "Members that lack a key; absent if empty."
            ),
        ])
    )

    package static let quota = Schema.Component(
        "quota",
        "How many calls a source, or all of an account, may get in a period.",
        .object([
            .required(.name, .text),
            .required(.limit, .count),
            .required(.used, .count),
            .required(.left, .count),
            .required(.resetsAt, .time, "In the zone of the source's calendar."),
            .optional(.forecast, .time, "When it is used up at the present pace, if that is before it resets."),
            .optional(
                .estimated,
                .flag,
                "True when used is a guess, because the ledger was damaged: half of a day, all of a month. quota/set corrects it."
            ),
        ])
    )

    package static let option = Schema.Component(
        "option",
        "An additional search parameter of a source.",
        .object([
            .required(.type, .words(OptionType.allCases)),
            .optional(.values, .texts, "Of a choice."),
            .optional(.min, .integer(.min ... .max), "Of an integer."),
            .optional(.max, .integer(.min ... .max), "Of an integer."),
            .optional(.maxBytes, .count, "Of a string."),
            .optional(.default, .text),
            .optional(.about, .text),
        ])
    )
}
