import JSON
import SearchModel

extension MethodDescription {
    package static let historyList = MethodDescription(
        .historyList,
        summary: """
            Lists the searches of this user, the latest first. Searches for the same query in the same sources are one \
            entry. A search is recorded when it is answered. It is not recorded if “private” is true, if “history” is \
            false, or if the query ends in an incomplete syllable. If “channel” is passed, “history” is false by \
            default.
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
                            "The sources, globs, accounts and profiles that the searches named, if any."
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
            Removes searches of this user. Their queries are erased from all files of the user. A hit is also erased \
            if no remaining query returned it. Without parameters, all searches are removed. Kept copies of damaged \
            files are also removed.
            """,
        parameters: [
            .optional(.query, .text, "Only searches for this query. Pass at most one of “query” and “since”."),
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
            hits. No source is called. The best suggestions come first. The rank of a suggestion depends on its kind, \
            on the quality of the match, and on how often and how recently it was searched or returned. Matches of the \
            typed text come before matches in the other keyboard layout. If nothing matches, texts with one typo are \
            returned.
            """,
        parameters: [
            .required(
                .prefix,
                .text,
                """
                The typed text, at most \(SearchQuery.bytesMax) bytes in any Unicode normal form: the beginning of a \
                text, or of a word in it. A consonant matches all syllables that begin with it (ㄱㅇㅇ, 고ㅇㅇ). The last \
                syllable may be incomplete (고야, 고양ㅇ), unless a blank follows. An empty or blank prefix returns the \
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
                        .required(.text, .text, "The suggested text. Each text occurs only once in the list."),
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
                Completes text that the user is typing, from the user's queries, hits and saved items. Costs nothing.
                """,
            parameters: [.prefix, .limit]
        )
    )
}
