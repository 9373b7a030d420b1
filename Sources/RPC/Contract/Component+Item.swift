import SearchModel

/// What a library is made of.
extension Schema.Component {
    package static let item = Schema.Component(
        "item",
        "A hit that a user has saved, with what the user has added to it.",
        .object(
            ownHitFields + [
                .required(.savedAt, .time),
                .required(.updatedAt, .time),
                .optional(.tags, .texts, "In the order in which they were added."),
                .optional(.notes, .list(.component(.note))),
                .optional(
                    .changes,
                    .list(
                        .object([
                            .required(.at, .time), .required(.field, .text), .required(.from, .anything),
                            .required(.to, .anything),
                        ])
                    ),
                    "What looking it up again has found to be different: price, version, title and so on."
                ),
            ]
        )
    )

    package static let note = Schema.Component(
        "note",
        "What a user wrote about an item: a title, a text, a rating, or some of them.",
        .object([
            .required(.id, .text, "Within the item."),
            .optional(.title, .text),
            .optional(.text, .text),
            .optional(.rating, .integer(WireBounds.rating)),
            .required(.at, .time),
        ])
    )
}
