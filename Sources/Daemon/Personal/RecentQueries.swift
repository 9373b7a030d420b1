import Hangul
import SearchModel

/// The latest queries of one user that found something, which complete unfinished ones.
///
/// Invariant: each query once, the latest last; at most `countMax`.
struct RecentQueries {
    /// How many can be checked within the time of a cached search.
    static let countMax = 64
    /// A longer query is completed by no other.
    static let bytesMax = 256
    /// How many matching queries are looked up in the cache.
    static let candidatesMax = 4

    private struct Recent {
        let query: SearchQuery
        let text: FoldedText
        let initial: Unicode.Scalar?

        init(_ query: SearchQuery) {
            self.query = query
            text = FoldedText(query.text)
            initial = text.scalars.first.map(Jamo.initial)
        }
    }

    private var queries: [Recent] = []

    var count: Int { queries.count }

    /// A query found something.
    mutating func note(_ query: SearchQuery) {
        guard queries.last?.query != query, query.text.utf8.count <= Self.bytesMax else { return }
        if let index = queries.firstIndex(where: { $0.query == query }) {
            queries.append(queries.remove(at: index))
        } else {
            queries.append(Recent(query))
            if queries.count > Self.countMax { queries.removeFirst() }
        }
    }

    mutating func removeAll() {
        queries = []
    }

    /// The queries that an unfinished one may become: matching ones, the latest first, then itself without its last
    /// letter.
    ///
    /// - Complexity: O(n) in the queries.
    func candidates(for unfinished: SearchQuery) -> [SearchQuery] {
        guard unfinished.text.utf8.count <= Self.bytesMax else { return [] }
        let stem = SearchQuery(String(unfinished.text.unicodeScalars.dropLast()))
        guard let pattern = TypedPattern(unfinished.text, inOtherLayout: false) else {
            return [stem].compactMap(\.self)
        }
        let initial = Self.initial(of: pattern)
        let becoming = queries.reversed().lazy.filter { recent in
            // Most begin otherwise, which is quickly told.
            (initial == nil || recent.initial == initial) && pattern.isPrefix(of: recent.text)
        }
        return becoming.prefix(Self.candidatesMax).map(\.query) + [stem].compactMap(\.self)
    }

    /// The initial of each text that a pattern is the beginning of; nil when they may have several.
    private static func initial(of pattern: TypedPattern) -> Unicode.Scalar? {
        // However much of a syllable is typed, its first consonant stays. A lone letter may be two that are typed as
        // one.
        guard let first = pattern.readings.first?.letters.first, !Jamo.isLetter(first) else { return nil }
        return Jamo.initial(of: first)
    }
}
