import JSON
import SearchModel

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
