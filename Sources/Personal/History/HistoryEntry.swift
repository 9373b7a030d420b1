package import JSON
package import SearchModel

/// A query that a user has searched for.
package struct HistoryEntry: Sendable {
    package let query: String
    /// The latest time, in milliseconds since 1970; unique for a user.
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

/// A filter of entries, the latest first.
package struct HistoryQuery: Sendable {
    /// The prefix of a query or of one of its words, in any spelling that finds words in the library.
    package var prefix: String?
    package var limit = 100
    /// Only entries that are older, in milliseconds since 1970.
    package var before: Int64?

    package init() {}
}

/// The entries to remove from a history.
package enum HistorySelection: Equatable, Sendable {
    case all
    case query(SearchQuery)
    /// From an instant on, in milliseconds since 1970.
    case since(Int64)

    package func contains(_ search: HistorySearch) -> Bool {
        switch self {
        case .all: true
        case .query(let query): search.query == query
        case .since(let instant): search.at >= instant
        }
    }
}

/// How searches are recorded; the same for all users.
package struct HistorySettings: Equatable, Sendable {
    package static let keepDefault = Duration.seconds(90 * 86_400)

    /// If off, nothing more is written; existing entries stay until they expire.
    package var isEnabled = true
    /// How long entries and seen hits are kept.
    package var keep = Self.keepDefault

    package init() {}
}
