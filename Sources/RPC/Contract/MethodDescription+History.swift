import JSON
import SearchModel

extension MethodDescription {
    package static let historyList = MethodDescription(
        .historyList,
        summary: """
            Lists the searches of this user, each query once, the latest first. A search is recorded when it is \
            answered, unless it is private, its query ends in an unfinished syllable, or its parameter history is \
            false. With a channel, history is false by default.
            """,
        parameters: [
            .optional(
                .prefix,
                .text,
                "The beginning of a query, or of one of its words. It matches like the query of library/list."
            ),
            .integer(.limit, WireBounds.limit, default: WireBounds.historyLimitDefault),
            .optional(.before, .text, "Only older entries. To continue a list, pass “at” of its last entry."),
        ],
        result: [
            .required(
                .entries,
                .list(
                    .object([
                        .required(.query, .text),
                        .required(.at, .time, "The time of the latest search. No two entries have the same time."),
                        .required(.count, .count, "The number of searches for the query in these sources."),
                        .required(
                            .sources,
                            .texts,
                            "What the searches named: sources, globs, accounts or profiles. Empty if nothing."
                        ),
                    ])
                )
            )
        ],
        errors: personal
    )

    package static let historyClear = MethodDescription(
        .historyClear,
        summary: """
            Removes searches of this user. Erases their queries, and the hits that no remaining query returned, from \
            all files of the user. Without parameters, removes all searches. Damaged files that were kept are removed, \
            too.
            """,
        parameters: [
            .optional(.query, .text, "Only this query. Pass at most one of query and since."),
            .optional(
                .since,
                .text,
                "Only searches at this time or later: a date (UTC), or a time in RFC 3339."
            ),
        ],
        result: [.required(.removed, .count, "The number of removed entries.")],
        errors: personal
    )
}

extension MethodDescription {
    package static let suggest = MethodDescription(
        .suggest,
        summary: """
            Completes the text that this user is typing, from earlier queries, titles of saved items, and titles of \
            hits. No source is called. The best suggestions come first. The rank of a suggestion depends on how often \
            and how recently it was searched or returned, on its kind, and on the quality of the match. Matches of the \
            typed text come before matches in the other keyboard layout. Matches with one typo are returned only if \
            nothing else matches.
            """,
        parameters: [
            .required(
                .prefix,
                .text,
                """
                The typed text, at most \(SearchQuery.bytesMax) bytes in any normal form: the beginning of a text, or \
                of one of its words. A consonant matches all syllables that begin with it (ㄱㅇㅇ, 고ㅇㅇ). The last \
                syllable may be unfinished (고야, 고양ㅇ), unless a blank follows. An empty or blank prefix returns the \
                highest-ranked suggestions.
                """
            ),
            .integer(.limit, WireBounds.limit, default: WireBounds.suggestLimitDefault),
        ],
        result: [
            .required(
                .suggestions,
                .list(
                    .object([
                        .required(.text, .text, "The suggested text, which occurs once in the list."),
                        .required(
                            .kind,
                            .words(["history", "title", "saved"]),
                            """
                            history: an earlier query. saved: the title of a saved item. title: the title of a hit. If \
                            several apply, history comes before saved, and saved before title.
                            """
                        ),
                        .required(.count, .count, "How often the text was searched or returned. 1 for a saved item."),
                        .required(.at, .time, "When the text was last searched, returned or saved."),
                    ])
                )
            )
        ],
        errors: personal,
        tool: AgentTool(
            name: "suggest",
            title: "Suggest",
            useWhen: """
                Completes text that the user is typing, from the user's queries, hits and saved items. Asks no source \
                and costs nothing.
                """,
            parameters: [.prefix, .limit]
        )
    )
}
