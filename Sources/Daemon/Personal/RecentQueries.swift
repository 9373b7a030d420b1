import Hangul
import SearchModel

/// A user's latest queries with hits.
///
/// One of them can replace a query that ends in an incomplete Korean syllable.
struct RecentQueries {
    static let countMax = 64
    static let bytesMax = 256
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

    /// Returns matching queries, the latest first, and then the query without its last letter.
    func candidates(for unfinished: SearchQuery) -> [SearchQuery] {
        guard unfinished.text.utf8.count <= Self.bytesMax else { return [] }
        let stem = SearchQuery(String(unfinished.text.unicodeScalars.dropLast()))
        guard let pattern = TypedPattern(unfinished.text, inOtherLayout: false) else {
            return [stem].compactMap(\.self)
        }
        let initial = Self.initial(of: pattern)
        let becoming = queries.reversed().lazy.filter { recent in
            (initial == nil || recent.initial == initial) && pattern.isPrefix(of: recent.text)
        }
        return becoming.prefix(Self.candidatesMax).map(\.query) + [stem].compactMap(\.self)
    }

    private static func initial(of pattern: TypedPattern) -> Unicode.Scalar? {
        // A syllable keeps its first consonant while it is typed. But a letter such as ㄳ may stand for two letters.
        guard let first = pattern.readings.first?.letters.first, !Jamo.isLetter(first) else { return nil }
        return Jamo.initial(of: first)
    }
}
