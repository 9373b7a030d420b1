import JSON
package import SearchModel

/// What a source refuses to search for, so that no call is spent on it.
package struct QueryRules: Equatable, Sendable {
    /// In characters as a reader counts them.
    package let charactersMin: Int
    package let charactersMax: Int
    /// Whole queries that are refused, in lower case.
    package let refused: [String]

    package static let none = QueryRules(charactersMin: 1, charactersMax: SearchQuery.bytesMax, refused: [])

    /// The error for a query that the source would refuse; nil when it would not.
    package func refusal(of query: SearchQuery, by source: SourceName) -> SearchError? {
        objection(to: query).map { objection in
            SearchError(
                .invalidParams,
                "\(source) can't take this query: \(objection)",
                source: source,
                retryable: false,
                hint: "Change the query, or leave \(source) out.",
                path: "params.query"
            )
        }
    }

    /// Why a query would be refused; nil when it would not.
    func objection(to query: SearchQuery) -> String? {
        // No character is shorter than a byte, and a query has one: most need no counting.
        let bytes = query.text.utf8.count
        guard charactersMin > 1 || bytes > charactersMax || !refused.isEmpty else { return nil }
        let count = query.text.count
        if count < charactersMin { return "it searches only for \(charactersMin) characters or more" }
        if count > charactersMax { return "it searches only for \(charactersMax) characters or fewer" }
        let lowercased = query.text.lowercased()
        if refused.contains(where: { $0.hasSameBytes(as: lowercased) }) { return "it refuses this word alone" }
        return nil
    }
}
