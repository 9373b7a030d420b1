import JSON
import SearchModel

/// A user's searches.
extension MethodDescription {
    package static let historyList = MethodDescription(
        .historyList,
        summary: """
            What this user searched, the latest first, each query once. A search is recorded when it is answered with \
            history true; one that is private or ends in a half-typed syllable never is.
            """,
        parameters: [
            .optional(
                .prefix,
                .text,
                "Words with which the query, or a word of it, begins, in all the ways of library/list."
            ),
            .optional(
                .limit,
                .integer(WireBounds.limit),
                default: .number(JSONNumber(WireBounds.historyLimitDefault))
            ),
            .optional(.before, .text, "Only older entries; to continue a list, give the at of its last entry."),
        ],
        result: [
            .required(
                .entries,
                .list(
                    .object([
                        .required(.query, .text), .required(.at, .time, "The latest time; no two have the same."),
                        .required(.count, .count, "How often."),
                        .required(.sources, .texts, "The sources of the latest time."),
                    ])
                )
            )
        ],
        errors: personal
    )

    package static let historyClear = MethodDescription(
        .historyClear,
        summary: """
            Removes what this user searched, and leaves no trace of it in any of this user's files: neither of the \
            queries nor of hits that only they brought. Without parameters it removes all. Damaged files that were set \
            aside are removed, too: what could be read of them is in the library's new file.
            """,
        parameters: [
            .optional(.query, .text, "Only this query. Either this or since."),
            .optional(
                .since,
                .text,
                "Only searches since then: a date (UTC) or an instant, as in RFC 3339."
            ),
        ],
        result: [.required(.removed, .count, "How many entries there were.")],
        errors: personal
    )
}

extension MethodDescription {
    package static let suggest = MethodDescription(
        .suggest,
        summary: """
            What this user may be about to type: queries that were searched, titles of saved items, and titles that \
            searches have brought. No source is asked. The best come first: by how often and how lately they were \
            searched or brought, what they are, and how well they match. What matches as it was typed comes before what \
            matches in the other layout of the keyboard; what matches but for one slip of a letter is there only when \
            nothing else matches.
            """,
        parameters: [
            .required(
                .prefix,
                .text,
                """
                What was typed so far, at most \(SearchQuery.bytesMax) bytes in any normal form: the beginning of a text, or \
                of one of its words. Consonants stand for the syllables that they begin (ㄱㅇㅇ, 고ㅇㅇ); the last syllable may \
                be half typed (고야, 고양ㅇ), unless a blank follows. Without a letter, the suggestions of most worth.
                """
            ),
            .optional(
                .limit,
                .integer(WireBounds.limit),
                default: .number(JSONNumber(WireBounds.suggestLimitDefault))
            ),
        ],
        result: [
            .required(
                .suggestions,
                .list(
                    .object([
                        .required(.text, .text, "Each once."),
                        .required(
                            .kind,
                            .words(["history", "title", "saved"]),
                            """
                            history: a query that was searched; saved: the title of a saved item; title: of a hit that \
                            searches have brought. Of several the first of these.
                            """
                        ),
                        .required(.count, .count, "How often it was searched, or brought; 1 when it is saved."),
                        .required(.at, .time, "When that was last."),
                    ])
                )
            )
        ],
        errors: personal,
        tool: AgentTool(
            name: "suggest",
            title: "Suggest",
            useWhen: """
                Completes what the user has begun to type, from what the user searched, saw and saved. It asks no source \
                and costs nothing.
                """,
            parameters: [.prefix, .limit]
        )
    )
}
