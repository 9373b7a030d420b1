import JSON
import SearchModel

extension MethodDescription {
    package static let lookup = MethodDescription(
        .lookup,
        summary: """
            Returns one item in full. If the source supports lookups, the hit is the source's own record of the item, \
            with the whole description, price, rating and pictures. Otherwise, or if the call fails, the answer has \
            the most complete hit of the item on this machine, and “full” is false. Identical lookups share one call. \
            Lookups and searches share limits, quotas and the cache.
            """,
        parameters: [
            .optional(.id, .text, "The id of a hit. Pass either this, or “source” and “key”."),
            .optional(.source, .text, "The name of a source."),
            .optional(
                .key,
                .text,
                "The item's key at its source, such as a google.books id. 1 to \(WireBounds.itemKeyBytesMax) bytes."
            ),
            .optional(
                .maxAge,
                .integer(WireBounds.maxAgeSeconds),
                "The maximum age of a cached record, in seconds. 0 always calls the source. Search hits may be older."
            ),
            .optional(.offline, .flag, "Uses only data on this machine, of any age.", default: false),
            .integer(
                .timeout,
                WireBounds.timeoutMilliseconds,
                "Milliseconds to wait for the source.",
                default: WireBounds.timeoutMillisecondsDefault
            ),
            .optional(.raw, .flag, "Adds the source's own document to the hit, as “raw”.", default: false),
            .optional(.private, .flag, "Stores nothing in the cache or a log.", default: false),
            .optional(.priority, .words(["interactive", "background"]), "As in search.", default: "interactive"),
        ],
        result: [
            .required(.hit, .component(.hit)),
            .required(.full, .flag, "True for the source's own record of the item, false for a hit of a search."),
            .required(.cache, .words(CacheUse.allCases), "How the hit was obtained, as in search."),
            .required(.age, .number, "Seconds since the hit was fetched."),
            .required(.saved, .flag, "Whether this user has saved the item."),
            .optional(
                .error,
                .component(.error),
                "Why the source's own record could not be fetched. The hit is then an older record or a search hit."
            ),
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
                Reads one hit of a search in full: the whole description, price, rating, links. A cached record costs \
                nothing. Otherwise the lookup costs one call of a quota, unless “offline” is true.
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
            Returns a picture, such as the thumbnail of a hit. The daemon fetches and caches the picture, but does not \
            decode it. The address and each redirect must use https. They must lead to a public address, or to a \
            server that the configuration sets or allows for a source. Otherwise the error is “forbidden”. If the \
            picture is over 2 MiB, or if its type is not listed in the result, the error is “badResponse”. Identical \
            requests share one fetch.
            """,
        parameters: [
            .required(.url, .text, "The address, at most \(WireBounds.pictureAddressBytesMax) bytes.")
        ],
        result: [
            .required(
                .type,
                .words(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
                "The type, determined from the first bytes."
            ),
            .required(.data, .text, "Base64, with padding."),
            .required(.bytes, .integer(1...WireBounds.pictureBytesMax), "The length of the decoded data."),
            .required(.cache, .words([CacheUse.hit, .joined, .miss]), "How the picture was obtained, as in search."),
        ],
        errors: [.forbidden, .badResponse, .unavailable, .timeout]
    )
}

extension MethodDescription {
    package static let page = MethodDescription(
        .page,
        summary: """
            Returns a web page for reading. The daemon fetches and caches the page, but never parses it. The address \
            and each redirect must use http or https. They must lead to a public address, or to a host in \
            “pages.allowedHosts” of the configuration. Otherwise the error is “forbidden”. If the page is over \
            \(WireBounds.pageBytesMax >> 20) MiB, or neither HTML nor plain text, the error is “badResponse”. The \
            daemon sends each host at most one request per second. Identical requests share one fetch.
            """,
        parameters: [
            .required(.url, .text, "The whole address, at most \(WireBounds.pageAddressBytesMax) bytes."),
            .integer(
                .maxAge,
                WireBounds.maxAgeSeconds,
                "The maximum age of a cached page, in seconds. 0 always fetches the page.",
                default: WireBounds.pageAgeDefault
            ),
            .integer(
                .timeout,
                WireBounds.timeoutMilliseconds,
                "Milliseconds to wait for the page.",
                default: WireBounds.timeoutMillisecondsDefault
            ),
            .optional(.private, .flag, "Does not store the page in the cache.", default: false),
            .optional(.priority, .words(["interactive", "background"]), "As in search.", default: "interactive"),
            .optional(
                .agent,
                .flag,
                "True if a program reads the page without a person. Then the robots.txt of the site applies.",
                default: false
            ),
        ],
        result: [
            .required(.url, .text, "The address after redirects."),
            .required(.type, .words(["text/html", "text/plain"])),
            .optional(.charset, .text, "The encoding of the page according to the server, which may be wrong."),
            .required(.data, .text, "Base64, with padding."),
            .required(.bytes, .integer(0...WireBounds.pageBytesMax), "The length of the decoded data."),
            .required(.cache, .words([CacheUse.hit, .joined, .miss]), "How the page was obtained, as in search."),
            .required(.age, .number, "Seconds since the page was fetched."),
        ],
        errors: [.forbidden, .badResponse, .rateLimited, .unavailable, .timeout],
        tool: AgentTool(
            name: "read",
            title: "Read a page",
            useWhen: """
                Reads the text of a web page, without navigation and advertisements. Reading costs no quota. A long \
                page is cut at “maxBytes”. To continue, pass “next” as “start”. If “headings” is true, only headings \
                with their line numbers are returned. To read from a heading, pass its number as “start”.
                """,
            asksSources: true,
            parameters: [.maxAge, .timeout, .private],
            ownParameters: [
                .optional(.url, .text, "The address of a page. Pass either this or “id”."),
                .optional(.id, .text, "The id of a hit or a saved item."),
                AgentTool.maxBytes,
                .optional(.start, .count, "The first line: “next”, or the number of a heading.", default: 0),
                .optional(.headings, .flag, "Returns only the headings.", default: false),
            ],
            leavesOut: [.type, .charset, .data, .bytes, .cache, .age],
            ownResult: [
                .optional(.title, .text), .optional(.author, .text), .optional(.published, .text),
                .optional(.language, .text), .required(.text, .list(.text)), .optional(.next, .count),
                .required(.total, .count),
            ]
        )
    )
}
