package import JSON
package import SearchModel

/// A query that a user has searched for in the same sources.
package struct HistoryEntry: Sendable {
    package let query: String
    /// The time of the latest search in milliseconds since 1970; the entries of a user have different times.
    package let at: Int64
    package let count: Int
    /// What the searches named: sources, globs, accounts or profiles.
    package let sources: [String]

    package var json: JSONValue {
        [
            "query": .string(query), "at": .string(RFC3339.preciseText(at)), "count": .number(JSONNumber(count)),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

package struct HistorySearch: Equatable, Sendable {
    package let query: SearchQuery
    /// The time of the search in milliseconds since 1970.
    package let at: Int64
    package let sources: [String]

    package init(query: SearchQuery, at: Int64, sources: [String]) {
        self.query = query
        self.at = at
        self.sources = sources
    }
}

/// Selects entries of a history; the latest entries come first.
package struct HistoryQuery: Sendable {
    /// Beginnings of words of the query; they may be typed as initials or in the wrong keyboard layout.
    package var prefix: String?
    package var limit = 100
    /// Selects only entries before this time, in milliseconds since 1970.
    package var before: Int64?

    package init() {}
}

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

package struct HistorySettings: Equatable, Sendable {
    package static let keepDefault = Duration.seconds(90 * 86_400)

    /// Whether new searches are recorded; if not, existing entries still remain until they expire.
    package var isEnabled = true
    /// How long entries and seen hits are kept.
    package var keep = Self.keepDefault

    package init() {}
}
