import Engine
import Hangul
import SearchModel

/// The queries that lately found something for one user, of which an unfinished one may be the beginning.
///
/// Invariant: each query once, the latest last; at most `countMax`.
struct RecentQueries {
    /// As many as are looked through within the time of a cached search.
    static let countMax = 64
    /// A longer query is completed by no other.
    static let bytesMax = 256
    /// How many of those that match are looked up in the cache.
    static let candidatesMax = 4

    private struct Recent {
        let query: SearchQuery
        let text: FoldedText
    }

    private var queries: [Recent] = []
    /// Of answers that depend on which queries there are: ended when another comes.
    private(set) var validity = ValidityToken()

    var count: Int { queries.count }

    /// A query found something.
    mutating func note(_ query: SearchQuery) {
        guard queries.last?.query != query, query.text.utf8.count <= Self.bytesMax else { return }
        if let index = queries.firstIndex(where: { $0.query == query }) {
            queries.append(queries.remove(at: index))
        } else {
            queries.append(Recent(query: query, text: FoldedText(query.text)))
            if queries.count > Self.countMax { queries.removeFirst() }
        }
        validity.end()
        validity = ValidityToken()
    }

    mutating func removeAll() {
        queries = []
        validity.end()
        validity = ValidityToken()
    }

    /// Whether a text with one first letter may have been begun with another, which is quickly told of most.
    private static func mayBegin(_ typed: Unicode.Scalar?, _ text: Unicode.Scalar?) -> Bool {
        guard let typed, let text, !Jamo.isLetter(typed) else { return true }
        // However much of a syllable is typed, its first consonant stays.
        guard let syllable = Syllable(typed) else { return typed == text }
        return Syllable(text)?.lead == syllable.lead
    }

    /// What an unfinished query may become: those that begin as it does, the latest first, then what it was before its
    /// last letter.
    ///
    /// - Complexity: O(n) in the queries.
    func candidates(for unfinished: SearchQuery) -> [SearchQuery] {
        guard unfinished.text.utf8.count <= Self.bytesMax else { return [] }
        let stem = SearchQuery(String(unfinished.text.unicodeScalars.dropLast()))
        guard let pattern = TypedPattern(unfinished.text) else { return [stem].compactMap(\.self) }
        let first = FoldedText(unfinished.text).scalars.first
        let becoming = queries.reversed().lazy.filter { recent in
            guard Self.mayBegin(first, recent.text.scalars.first), let match = pattern.match(in: recent.text) else {
                return false
            }
            return match.position <= .beginning && match.form < .layout
        }
        return becoming.prefix(Self.candidatesMax).map(\.query) + [stem].compactMap(\.self)
    }
}
