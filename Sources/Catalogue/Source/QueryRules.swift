import JSON
package import SearchModel

/// The queries that a source rejects, checked first to avoid wasted calls.
package struct QueryRules: Equatable, Sendable {
    /// Counted in user-perceived characters.
    package private(set) var charactersMin = 1
    package private(set) var charactersMax = SearchQuery.bytesMax
    /// Whole queries that the source rejects, in lower case.
    package private(set) var refused: [String] = []
    /// The form of each word in the source's query syntax, with `{}` for the word; nil if it accepts plain words.
    private(set) var word: String?
    /// The text between words.
    private(set) var join = " "

    package static let none = QueryRules()

    /// Returns the query in the source's syntax, removing quotation marks and backslashes from words.
    func text(of query: SearchQuery) -> String {
        guard let word else { return query.text }
        let words = query.text.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "\"" && $0 != "\\" } }
        return words.filter { !$0.isEmpty }.map { word.replacing("{}", with: $0) }.joined(separator: join)
    }

    /// Returns the error for a query that the source would reject; nil if it is accepted.
    package func refusal(of query: SearchQuery, by source: SourceName) -> SearchError? {
        guard let objection = objection(to: query.text) else { return nil }
        return SearchError(
            .invalidParams,
            "\(source) can't take this query: \(objection)",
            source: source,
            retryable: false,
            hint: "Change the query, or leave \(source) out.",
            path: "params.query"
        )
    }

    private func objection(to query: String) -> String? {
        // A character has at least one byte, and a query at least one character, so most queries need no counting.
        guard charactersMin > 1 || query.utf8.count > charactersMax || !refused.isEmpty else { return nil }
        let count = query.count
        if count < charactersMin { return "it searches only for \(charactersMin) characters or more" }
        if count > charactersMax { return "it searches only for \(charactersMax) characters or fewer" }
        let lowercased = query.lowercased()
        return refused.contains { $0.hasSameBytes(as: lowercased) } ? "it refuses this word alone" : nil
    }
}

extension QueryRules {
    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["charactersMin", "charactersMax", "refused", "word", "join"])
        charactersMin = declared.optional(try object["charactersMin"]?.integer(in: 1...100)) ?? charactersMin
        charactersMax = declared.optional(try object["charactersMax"]?.integer(in: 1...charactersMax)) ?? charactersMax
        refused = declared.optional(try object["refused"]?.strings()) ?? refused
        word = declared.optional(try object["word"]?.string())
        if word?.contains("{}") == false { object["word"]?.note("has no {}", hint: "Write {} where the word goes.") }
        join = declared.optional(try object["join"]?.string()) ?? join
    }
}
