package import JSON
package import SearchModel

/// A query that a user has searched for.
package struct HistoryEntry: Sendable {
    package let query: String
    /// The time of the latest search, in milliseconds since 1970; unique for a user.
    package let at: Int64
    /// The number of searches.
    package let count: Int
    /// The sources of the latest search.
    package let sources: [String]

    package var json: JSONValue {
        [
            "query": .string(query), "at": .string(RFC3339.preciseText(at)), "count": .number(JSONNumber(count)),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

/// One search, as input for the history.
package struct HistorySearch: Equatable, Sendable {
    package let query: SearchQuery
    /// Milliseconds since 1970.
    package let at: Int64
    package let sources: [SourceName]

    package init(query: SearchQuery, at: Int64, sources: [SourceName]) {
        self.query = query
        self.at = at
        self.sources = sources
    }
}

/// Selects entries of a history; the latest entries come first.
package struct HistoryQuery: Sendable {
    /// The beginning of the query or of one of its words; initials and the wrong keyboard layout match, too.
    package var prefix: String?
    package var limit = 100
    /// Selects only entries before this time, in milliseconds since 1970.
    package var before: Int64?

    package init() {}
}

/// The entries to remove from a history.
package enum HistorySelection: Equatable, Sendable {
    case all
    case query(SearchQuery)
    /// The entries from this time on, in milliseconds since 1970.
    case since(Int64)

    package func contains(_ search: HistorySearch) -> Bool {
        switch self {
        case .all: true
        case .query(let query): search.query == query
        case .since(let instant): search.at >= instant
        }
    }
}

/// How searches are recorded, for all users.
package struct HistorySettings: Equatable, Sendable {
    package static let keepDefault = Duration.seconds(90 * 86_400)

    /// Whether searches are recorded; if not, existing entries are kept until they expire.
    package var isEnabled = true
    /// How long entries and seen hits are kept.
    package var keep = Self.keepDefault

    package init() {}
}
