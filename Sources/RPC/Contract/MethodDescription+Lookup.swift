import JSON
import SearchModel

extension MethodDescription {
    package static let lookup = MethodDescription(
        .lookup,
        summary: """
            One item in full. A source that has a call for one item gives its own record, with all that it has: the whole \
            description, price, rating, pictures. For an item of any other source, or when that call fails, the answer is \
            the fullest hit of it in the cache, with full false. Identical lookups share one call; limits, quotas and the \
            cache are those of searches.
            """,
        parameters: [
            .optional(.id, .text, "As a hit has it. Either this, or source and key."),
            .optional(.source, .text, "The name of a source."),
            .optional(
                .key,
                .text,
                "The source's own key of the item, as of a volume of google.books; 1 to \(WireBounds.itemKeyBytesMax) bytes."
            ),
            .optional(
                .maxAge,
                .integer(WireBounds.maxAgeSeconds),
                "Seconds; how old a cached record may be. 0 always asks the source. A hit with full false may be older."
            ),
            .optional(.offline, .flag, "Only cached data of any age.", default: false),
            .optional(
                .timeout,
                .integer(WireBounds.timeoutMilliseconds),
                "Milliseconds to wait for the source.",
                default: .number(JSONNumber(WireBounds.timeoutMillisecondsDefault))
            ),
            .optional(.raw, .flag, "The hit carries the source's own document as raw.", default: false),
            .optional(.private, .flag, "Nothing of it is kept: neither in the cache nor in a log.", default: false),
            .optional(.priority, .words(["interactive", "background"]), "As in search.", default: "interactive"),
        ],
        result: [
            .required(.hit, .component(.hit)),
            .required(.full, .flag, "Whether it is the source's own record of the item, not a hit of some search."),
            .required(.cache, .words(CacheUse.allCases), "How it was got, as in search."),
            .required(.age, .number, "Seconds since it was fetched."),
            .required(.saved, .flag, "Whether this user has saved the item."),
            .optional(.error, .component(.error), "Why the source, which was asked, gave no record or no newer one."),
            .required(.elapsed, .number, "Milliseconds."),
        ],
        errors: [
            .unknownSource, .notConfigured, .unauthorized, .rateLimited, .quotaExhausted, .unavailable, .badResponse,
            .timeout, .notFound, .forbidden,
        ],
        tool: AgentTool(
            name: "lookup",
            title: "Look up",
            useWhen: """
                Reads all that is known of one hit of a search: the whole description, price, rating, links. What is \
                cached costs nothing; otherwise it costs one call of the source's quota, unless offline is true.
                """,
            asksSources: true,
            parameters: [.id, .source, .key, .maxAge, .offline, .timeout, .private],
            leavesOut: [.marks, .rank, .raw, .publishedPrecision, .elapsed, .age, .trace]
        )
    )
}

extension MethodDescription {
    package static let image = MethodDescription(
        .image,
        summary: """
            A picture, such as a hit's thumbnail, fetched and cached by the daemon, which never decodes it. Only over \
            https from public addresses, or from where the configuration sends the calls to a source; redirects are \
            checked likewise. Anything else is forbidden. What has more than 2 MiB, or begins like none of these types, \
            is a badResponse. Identical requests share one fetch.
            """,
        parameters: [
            .required(.url, .text, "As the hit has it; at most \(WireBounds.pictureAddressBytesMax) bytes.")
        ],
        result: [
            .required(
                .type,
                .words(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
                "By its first bytes."
            ),
            .required(.data, .text, "Base64, with padding."),
            .required(.bytes, .integer(1...WireBounds.pictureBytesMax), "The length of the decoded data."),
            .required(.cache, .words([CacheUse.hit, .joined, .miss]), "How it was got, as in search."),
        ],
        errors: [.forbidden, .badResponse, .unavailable, .timeout]
    )
}
