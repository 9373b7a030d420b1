package import JSON
package import SearchModel

/// A query in the history of a user.
package struct HistoryEntry: Sendable {
    package let query: String
    /// The time of the latest search, in milliseconds since 1970; no two entries of a user have the same time.
    package let at: Int64
    package let count: Int
    /// The sources, globs, accounts and profiles that the searches named.
    package let sources: [String]

    package var json: JSONValue {
        [
            "query": .string(query), "at": .string(RFC3339.preciseText(at)), "count": .number(JSONNumber(count)),
            "sources": .array(sources.map { .string($0) }),
        ]
    }
}

/// A search to record in the history.
package struct HistorySearch: Equatable, Sendable {
    package let query: SearchQuery
    package let at: Int64
    package let sources: [String]

    package init(query: SearchQuery, at: Int64, sources: [String]) {
        self.query = query
        self.at = at
        self.sources = sources
    }
}

/// Selects entries of a history, the latest first.
package struct HistoryQuery: Sendable {
    /// Beginnings of words; Korean initials and the wrong keyboard layout also match.
    package var prefix: String?
    package var limit = 100
    /// Only entries before this time (milliseconds since 1970) are selected.
    package var before: Int64?

    package init() {}
}

/// The searches to erase from the history.
package enum HistorySelection: Equatable, Sendable {
    case all
    case query(SearchQuery)
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

    /// If false, existing entries remain until they expire.
    package var isEnabled = true
    package var keep = Self.keepDefault

    package init() {}
}
