import Engine
import JSON
import RPC
import SearchModel

/// Every source there is, whether it can be asked or not.
struct SourceListMethod: Method {
    let directory: DirectoryBox
    let figures: UpstreamFigures
    /// How every source stands before its limits; called on the loop.
    let standings: @Sendable () -> [SourceName: SourceStanding]
    /// Seconds since 1970: quotas begin anew at a time of day.
    let wallClock: @Sendable () -> Int64

    let description = Self.ownDescription
    let capabilities = ["sources"]
    let agentDescription: AgentDescription? = AgentDescription(
        title: "Sources",
        useWhen: "To learn which sources there are, what they take as options and what is left of their quotas. Free.",
        isReadOnly: true,
        asksSources: false
    )

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        try Parameters(call.params).finish()
        let listing = SourceListing(
            directory.current,
            upstream: figures.bySource,
            standings: standings(),
            at: wallClock()
        )
        return .answered(.writing(listing.write))
    }

    private static let ownDescription = MethodDescription(
        "source/list",
        summary: """
            Every source in the order of the names: kind, enabled, why not, limits, quotas, what is left of them and \
            when they begin anew, health, what it takes as options. Members of which nothing is known are absent, as all but the name are of \
            a source whose file is wrong.
            """,
        result: [.init("sources", required: true, ["type": "array", "items": source])]
    )

    private static let source: JSONValue = [
        "type": "object",
        "required": ["source", "account", "enabled", "limits", "quota", "options"],
        "properties": [
            "source": ["type": "string"], "kind": ["type": "string"], "account": ["type": "string"],
            "title": ["type": "string"], "enabled": ["type": "boolean"],
            "reason": [
                "enum": ["notConfigured", "disabled", "invalid"],
                "description": "Only when it is not enabled: a key is missing, it is switched off, its file is wrong.",
            ],
            "keyNeeded": ["type": "boolean"], "keys": ["type": "array", "items": way], "limits": limits,
            "quota": ["type": "array", "items": quota],
            "health": [
                "enum": ["ok", "waiting", "failing", "open"],
                "description": """
                waiting: calls wait, it asked for a pause, or a quota is used up; failing: its latest calls failed; \
                open: it failed so often that it is not asked, but tried now and then.
                """,
            ],
            "since": ["type": "string", "description": "RFC 3339; since when it is not ok, as far as is known."],
            "attribution": ["type": "string", "description": "To be shown beside its hits."],
            "options": ["type": "object", "description": "By name: type, bounds, default, what it is about."],
        ],
    ]

    private static let way: JSONValue = [
        "type": "object",
        "required": ["way", "secrets"],
        "description": "A way to ask that needs secrets; the first whose secrets are all present is taken.",
        "properties": [
            "way": ["type": "string"],
            "secrets": [
                "type": "array",
                "items": [
                    "type": "object",
                    "required": ["name", "present"],
                    "properties": [
                        "name": ["type": "string"],
                        "about": ["type": "string", "description": "What it is and where to get it."],
                        "present": ["type": "boolean"],
                    ],
                ],
            ],
        ],
    ]

    private static let limits: JSONValue = [
        "type": "object",
        "properties": [
            "perSecond": ["type": "number"], "perDay": ["type": "integer"], "concurrency": ["type": "integer"],
        ],
    ]

    private static let quota: JSONValue = [
        "type": "object",
        "required": ["name", "limit", "used", "left", "resetsAt"],
        "properties": [
            "name": ["type": "string"], "limit": ["type": "integer"], "used": ["type": "integer"],
            "left": ["type": "integer"],
            "resetsAt": ["type": "string", "description": "RFC 3339, in the zone of the source's calendar."],
            "forecast": [
                "type": "string",
                "description": "RFC 3339; when it is used up at the present pace, if that is before it begins anew.",
            ],
        ],
    ]
}
