import Engine
import Hangul
import Personal
import SearchModel

/// Suggests other queries if a query finds nothing.
enum DidYouMean {
    static let textsMax = 5

    static func isWanted(_ request: SearchRequest, _ answer: SearchAnswer) -> Bool {
        answer.hits.isEmpty && !request.isNextPage
    }

    static func texts(for request: SearchRequest, of user: UserData?) async -> [String] {
        let query = request.query
        let names = Set(request.sources.map(\.name))
        let isOwn = names.isSubset(of: [.library, .seen])
        var texts = isOwn ? [] : [WrongLayout.corrected(query.text)].compactMap(\.self)
        if let user {
            let found = try? await user.use { _ throws(SearchError) in
                // Two more than needed, because one text may be the query itself, and one may be a duplicate.
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
