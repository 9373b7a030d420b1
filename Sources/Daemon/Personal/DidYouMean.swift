import Engine
import Hangul
import Personal
import SearchModel

/// What a user might have meant by a query that finds nothing.
enum DidYouMean {
    static let textsMax = 5

    /// Whether an answer has nothing, and not only because its list ends before the window.
    static func isWanted(_ request: SearchRequest, _ answer: SearchAnswer) -> Bool {
        answer.hits.isEmpty && !request.isNextPage
    }

    /// The query in the other layout of the keyboard, if it can have been meant; then texts of the user's own that are
    /// known to find something.
    ///
    /// Data of the user's that can't be read holds up no search: it is left out.
    static func texts(for query: SearchQuery, of user: UserData?) async -> [String] {
        var texts = [WrongLayout.meant(by: query.text)].compactMap(\.self)
        if let user {
            let found = try? await user.use { _ throws(SearchError) in
                // One may be the query itself, and another the one that is there already.
                try await user.suggestions.find(query.text, limit: textsMax + 2, foundOnly: true)
            }
            texts += (found ?? []).map(\.text)
        }
        var known: Set<FoldedText> = [FoldedText(query.text)]
        return Array(texts.filter { known.insert(FoldedText($0)).inserted }.prefix(textsMax))
    }
}
