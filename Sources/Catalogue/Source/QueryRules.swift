import JSON
package import SearchModel

/// The rules for the queries that a source accepts.
package struct QueryRules: Equatable, Sendable {
    package private(set) var charactersMin = 1
    package private(set) var charactersMax = SearchQuery.bytesMax
    package private(set) var refused: [String] = []
    /// How a word of the query is sent, with `{}` for the word; if nil, the query is sent unchanged.
    private(set) var word: String?
    private(set) var join = " "

    package init() {}

    func text(of query: SearchQuery) -> String {
        guard let word else { return query.text }
        let words = query.text.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "\"" && $0 != "\\" } }
        return words.filter { !$0.isEmpty }.map { word.replacing("{}", with: $0) }.joined(separator: join)
    }

    package func refusal(of query: SearchQuery, by source: SourceName) -> SearchError? {
        guard let objection = objection(to: query.text) else { return nil }
        let message = "\(source) does not accept this query: \(objection)"
        let hint = "Change the query, or search without \(source)."
        return SearchError(.invalidParams, message, of: source, hint: hint, path: "params.query")
    }

    private func objection(to query: String) -> String? {
        // Avoids counting characters, which is slow. A text never has more characters than bytes.
        guard charactersMin > 1 || query.utf8.count > charactersMax || !refused.isEmpty else { return nil }
        let count = query.count
        if count < charactersMin { return "it must have at least \(charactersMin) characters" }
        if count > charactersMax { return "it must have at most \(charactersMax) characters" }
        let lowercased = query.lowercased()
        return refused.contains { $0.hasSameBytes(as: lowercased) } ? "this word alone is not allowed" : nil
    }

    init(_ declared: Declared) throws(CatalogueError) {
        let object = try declared.fields(["charactersMin", "charactersMax", "refused", "word", "join"])
        charactersMin = declared.part(try object["charactersMin"]?.integer(in: 1...100)) ?? charactersMin
        charactersMax = declared.part(try object["charactersMax"]?.integer(in: 1...charactersMax)) ?? charactersMax
        refused = declared.part(try object["refused"]?.strings()) ?? refused
        word = declared.part(try object["word"]?.string())
        if word?.contains("{}") == false { object["word"]?.note("has no {}", hint: "Write {} in place of the word.") }
        join = declared.part(try object["join"]?.string()) ?? join
    }
}
