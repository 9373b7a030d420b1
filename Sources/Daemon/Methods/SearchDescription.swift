import Engine
import EventLoop
import JSON
import RPC
import SearchModel

/// What `rpc.discover` says of `search`.
enum SearchDescription {
    static let search = MethodDescription(
        "search",
        summary: """
            One query to one or many sources, merged or streamed. With stream, hits come as search/hits and sources as \
            search/source notifications before the answer, which then has the order of the ids instead of the hits; \
            search/source with status queued or retrying tells of waiting as it happens, and a source that failed with \
            nothing is told at once; with progress, search/progress \
            tells how many of the sources asked have answered or failed. Of \
            several sources a stream tells at every moment what the answer would hold if nothing more came: what order \
            does not name was pushed out by others. The same item from two sources (by address, ISBN or number in a \
            store, among comparable kinds) is one hit with alsoFrom; when it is found out after the hit was told, \
            alsoFrom of the answer says it by id, and sameAs the ids that the other sources' own hits have: such a hit may \
            have been told too. A stream whose every page is in the cache tells the hits of the answer and no others.
            """,
        parameters: parameters,
        result: result,
        errors: [
            "unknownSource", "notConfigured", "unauthorized", "rateLimited", "quotaExhausted", "unavailable",
            "badResponse", "timeout", "overloaded", "cancelled", "superseded",
        ]
    )

    private static let parameters: [MethodDescription.Field] = [
        .init("query", required: true, text("Trimmed and normalised to NFC; 1 to \(SearchQuery.bytesMax) bytes.")),
        .init("sources", list("Names or globs; by default the configured set.")),
        .init("kinds", list("Only sources of these kinds; with sources both must hold.")),
        .init("sort", ["type": "string", "enum": ["relevance", "recency", "title"], "default": "relevance"]),
        .init(
            "offset",
            integer(
                0,
                SearchRequest.offsetMax,
                """
                Where the window on the merged list begins; at most \(SearchRequest.mergedOffsetMax) when the daemon puts \
                the list together: of several sources, or in an order that the source does not make.
                """
            )
        ),
        .init("limit", integer(1, SearchRequest.limitMax, "How many hits; 10 by default.")),
        .init(
            "cursor",
            text("Instead of offset: goes on where an earlier answer's next stopped; repeat query, sources and sort.")
        ),
        .init("stream", flag("Hits arrive as notifications.")),
        .init("progress", flag("A stream that has to wait also tells search/progress {request, answered, asked}.")),
        .init("raw", flag("Each hit carries the source's own document as raw.")),
        .init("maxAge", integer(0, 31_536_000, "Seconds; how old a cached answer may be. 0 always asks the source.")),
        .init("offline", flag("Only what is already on this machine.")),
        .init(
            "timeout",
            integer(1, 120_000, "Milliseconds; what has arrived by then is the answer. 10,000 by default.")
        ),
        .init(
            "channel",
            text(
                """
                A newer request on the same channel of the connection ends an older one with superseded; an identical \
                one takes over its work, and is told again what a stream has been told. A launcher sends each keystroke \
                on one channel.
                """
            )
        ),
        .init(
            "debounce",
            integer(
                0,
                10_000,
                """
                Milliseconds to hold still on the channel before any work starts; a newer request begins them anew. \
                Without it, a request that is not answered from this machine holds still for \
                \(Int(Channels.settling.milliseconds)) when another came on its channel within that time.
                """
            )
        ),
        .init(
            "options",
            ["type": "object", "description": "By source: what it declares beyond the common parameters."]
        ),
        .init(
            "priority",
            [
                "type": "string", "enum": ["interactive", "background"], "default": "interactive",
                "description": """
                Background uses only what interactive leaves: its calls to a source begin when no interactive one \
                waits for it, and leave room for one.
                """,
            ]
        ),
        .init("private", flag("Nothing of it is kept.")),
        .init(
            "explain",
            flag(
                """
                The answer, or the data of its error, carries trace, the story of every source in order of at (ms): plan, excluded, cacheHit, \
                cacheStale, cacheMiss, cacheSkipped, joined, queued, sent, answered, retrying, breaker, received, failed; \
                and for each hit merged, with the ranks that made its score. Pages of sources are counted from 0.
                """
            )
        ),
    ]

    private static let result: [MethodDescription.Field] = [
        .init("query", required: true, ["type": "string"]),
        .init("sort", required: true, ["type": "string"]),
        .init("hits", ["type": "array", "items": ["type": "object"]]),
        .init("order", ["type": "array", "items": ["type": "string"]]),
        .init("alsoFrom", ["type": "object", "additionalProperties": ["type": "array", "items": ["type": "string"]]]),
        .init("sameAs", ["type": "object", "additionalProperties": ["type": "array", "items": ["type": "string"]]]),
        .init("sources", required: true, ["type": "array", "items": ["type": "object"]]),
        .init("next", required: true, ["type": ["string", "null"]]),
        .init("complete", required: true, ["type": "boolean"]),
        .init("trace", ["type": "array", "items": ["type": "object"]]),
        .init("elapsed", required: true, ["type": "number"]),
    ]

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "description": .string(description)]
    }

    private static func list(_ description: String) -> JSONValue {
        ["type": "array", "items": ["type": "string"], "description": .string(description)]
    }

    private static func flag(_ description: String) -> JSONValue {
        ["type": "boolean", "default": false, "description": .string(description)]
    }

    private static func integer(_ least: Int, _ most: Int, _ description: String) -> JSONValue {
        [
            "type": "integer", "minimum": .number(JSONNumber(least)), "maximum": .number(JSONNumber(most)),
            "description": .string(description),
        ]
    }
}
