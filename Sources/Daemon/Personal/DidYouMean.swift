import Engine
import Hangul
import Personal
import SearchModel

/// Suggestions for a query that finds nothing.
enum DidYouMean {
    static let textsMax = 5

    /// Whether an answer has no hits, and its window is the first of the list.
    static func isWanted(_ request: SearchRequest, _ answer: SearchAnswer) -> Bool {
        answer.hits.isEmpty && !request.isNextPage
    }

    /// Suggests the query in the other keyboard layout, if plausible, then the user's own texts with known hits.
    ///
    /// If only the user's own data is searched, suggests only texts of that data: it has already been searched in both
    /// layouts, and the library has only saved items. Unreadable data is left out.
    static func texts(for request: SearchRequest, of user: UserData?) async -> [String] {
        let query = request.query
        let names = Set(request.sources.map(\.name))
        let isOwn = names.isSubset(of: [.library, .seen])
        var texts = isOwn ? [] : [WrongLayout.corrected(query.text)].compactMap(\.self)
        if let user {
            let found = try? await user.use { _ throws(SearchError) in
                // One of them may be the query itself, and another one a duplicate.
                try await user.suggestions.find(
                    query.text,
                    limit: textsMax + 2,
                    foundOnly: true,
                    kind: names == [.library] ? .saved : nil
                )
            }
            texts += (found ?? []).map(\.text)
        }
        var known: Set<FoldedText> = [FoldedText(query.text)]
        return Array(texts.filter { known.insert(FoldedText($0)).inserted }.prefix(textsMax))
    }
}
