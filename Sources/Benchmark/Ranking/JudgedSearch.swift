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

    /// The hits by their ids, which are made of the source, the rank and the title.
    var judged: [String: Judged] {
        var judged: [String: Judged] = [:]
        for list in lists {
            for (index, hit) in list.hits.enumerated() { judged[Self.id(of: hit, at: index, list.source)] = hit }
        }
        return judged
    }

    static func id(of hit: Judged, at index: Int, _ source: SourceName) -> String {
        let key = hit.title.utf8.reduce(UInt64(index) &* 0x9E37_79B9) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\(source):\(String(key, radix: 16))"
    }

    /// Every judged search that the program brings.
    static func all() throws -> [JudgedSearch] {
        let texts = [
            PackageResources.korean1_txt, PackageResources.korean2_txt, PackageResources.english1_txt,
            PackageResources.english2_txt,
        ]
        var all: [JudgedSearch] = []
        for text in texts { all += try read(String(decoding: text, as: UTF8.self)) }
        return all
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
                let hits: [Judged]
                if line.first == "+" {
                    guard let count = Int(rest) else { throw wrong(line) }
                    hits = (0..<count).map {
                        ChanceHits.hit(
                            for: search.query,
                            number: 7 * searches.count + 3 * search.lists.count + $0
                        )
                    }
                } else {
                    guard let hit = judged(line) else { throw wrong(line) }
                    hits = [hit]
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
        guard let grade = line.first?.wholeNumberValue, (0...3).contains(grade) else { return nil }
        var rest = line.dropFirst()
        let isKnown = rest.first == "!"
        rest = rest.drop { $0 == "!" || $0 == " " }
        var age: Int?
        if rest.first == "~" {
            age = Int(rest.dropFirst().prefix { $0 != " " })
            rest = rest.drop { $0 != " " }.drop { $0 == " " }
        }
        let byAuthor = parts(of: rest, at: " / ")
        let bySnippet = parts(of: byAuthor.first, at: " | ")
        guard !bySnippet.first.isEmpty else { return nil }
        return Judged(
            grade: grade,
            isKnown: isKnown,
            ageDays: age,
            title: String(bySnippet.first),
            snippet: bySnippet.rest.map { String($0) },
            author: byAuthor.rest.map { String($0) }
        )
    }

    private static func parts(of text: Substring, at separator: String) -> (first: Substring, rest: Substring?) {
        guard let range = text.firstRange(of: separator) else { return (text, nil) }
        return (text[..<range.lowerBound], text[range.upperBound...])
    }
}
