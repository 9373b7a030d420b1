import SearchModel

/// A query, what its sources list, and how good each of it is.
struct JudgedSearch: Sendable {
    /// One source's list, in its own order.
    struct List: Sendable {
        let source: SourceName
        var hits: [Judged] = []
    }

    /// A hit, and a person's judgement of it.
    struct Judged: Equatable, Sendable {
        /// From 0 for useless to 3 for what was wanted.
        let grade: Int
        /// Whether it is the item that a search for a known item means.
        let isKnown: Bool
        let ageDays: Int?
        let title: String
        let snippet: String?
        let author: String?
    }

    let query: SearchQuery
    var lists: [List] = []

    /// Every judged search that the program brings.
    static func all() throws -> [JudgedSearch] {
        let texts = [
            PackageResources.korean1_txt, PackageResources.korean2_txt, PackageResources.english1_txt,
            PackageResources.english2_txt,
        ]
        return try texts.flatMap { try read(String(decoding: $0, as: UTF8.self)) }
    }

    /// Reads searches as the data files write them.
    static func read(_ text: String) throws -> [JudgedSearch] {
        var searches: [JudgedSearch] = []
        for line in text.split(separator: "\n") {
            let rest = line.dropFirst().drop { $0 == " " }
            switch line.first {
            case "#": continue
            case "?":
                guard let query = SearchQuery(String(rest)) else { throw wrong(line) }
                searches.append(JudgedSearch(query: query))
            case "@":
                guard let source = SourceName(String(rest)), !searches.isEmpty else { throw wrong(line) }
                searches[searches.count - 1].lists.append(List(source: source))
            default:
                guard let search = searches.last, let list = search.lists.last else { throw wrong(line) }
                var hits: [Judged] = []
                if line.first != "+", let hit = judged(line) {
                    hits = [hit]
                } else if line.first == "+", let count = Int(rest) {
                    let first = 7 * searches.count + 3 * search.lists.count
                    hits = (first..<first + count).map { ChanceHits.hit(for: search.query, number: $0) }
                } else {
                    throw wrong(line)
                }
                searches[searches.count - 1].lists[search.lists.count - 1].hits = list.hits + hits
            }
        }
        return searches
    }

    private static func wrong(_ line: Substring) -> BenchmarkError {
        BenchmarkError("a line of the judged data cannot be read: \(line)")
    }

    /// `3! ~2 title | snippet / author`; only the grade and the title must be there.
    private static func judged(_ line: Substring) -> Judged? {
        let form = /([0-3])(!?) *(?:~(\d+) +)?(.+?)(?: \| (.*?))?(?: \/ (.*))?/
        guard let parts = line.wholeMatch(of: form)?.output else { return nil }
        return Judged(
            grade: Int(parts.1) ?? 0,
            isKnown: !parts.2.isEmpty,
            ageDays: parts.3.flatMap { Int($0) },
            title: String(parts.4),
            snippet: parts.5.map { String($0) },
            author: parts.6.map { String($0) }
        )
    }
}
