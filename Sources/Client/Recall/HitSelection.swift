import JSON
import SearchModel

/// What the words behind `show`, `open`, `save` and the like mean.
struct HitSelection {
    /// What is shown or opened at once: more hits are a mistake, and as many windows.
    static let shownMax = 20
    /// Of a beginning that is not unique, so many ids are listed.
    private static let candidatesMax = 5
    private static let titleColumnsMax = 24

    /// An item that was chosen.
    struct Item {
        let id: String
        /// Nil when the last searches did not find it.
        let hit: JSONCursor?
    }

    /// Finds the saved item of an id, or of a unique beginning of one; nil when there is none.
    typealias Saved = (_ word: String) throws(ClientError) -> JSONCursor?

    private let searches: LastSearches
    private let hitsMax: Int
    private let saved: Saved

    /// - Parameters:
    ///   - searches: The last ones.
    ///   - hitsMax: More are refused.
    ///   - saved: Asked for what they have not.
    init(_ searches: LastSearches, hitsMax: Int = shownMax, saved: @escaping Saved = { _ in nil }) {
        self.searches = searches
        self.hitsMax = hitsMax
        self.saved = saved
    }

    /// The hits of numbers, of ranges of them as `1-3`, of ids and of their beginnings, each with its own word.
    func hits(_ words: [String]) throws(ClientError) -> [(word: String, hit: JSONCursor)] {
        var hits: [(String, JSONCursor)] = []
        for (word, found) in try chosen(words) {
            guard let found else { throw missing(word) }
            hits.append((word, found))
        }
        return hits
    }

    /// The items of the same, and of ids that the last searches know nothing of.
    func items(_ words: [String]) throws(ClientError) -> [Item] {
        var items: [Item] = []
        for (word, found) in try chosen(words) {
            guard found != nil || Self.isID(word) else { throw missing(word) }
            items.append(Item(id: found?[.id]?.string ?? word, hit: found))
        }
        return items
    }

    /// The hit of each word, nil where the last searches have none for what is no number.
    private func chosen(_ words: [String]) throws(ClientError) -> [(word: String, hit: JSONCursor?)] {
        var chosen: [(String, JSONCursor?)] = []
        for word in words.flatMap(Self.parts) {
            if let range = Self.range(word) {
                // The number of them may be more than an integer holds.
                guard range.upperBound - range.lowerBound < hitsMax - chosen.count else { throw tooMany }
                for number in range { chosen.append((String(number), try hit(number: number))) }
            } else {
                chosen.append((word, try hit(idBeginning: word)))
            }
            guard chosen.count <= hitsMax else { throw tooMany }
        }
        return chosen
    }

    /// The numbers and ranges between the commas of a word that has nothing else; else the word.
    private static func parts(_ word: String) -> [String] {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy { range($0) != nil } ? parts : [word]
    }

    /// Whether a word looks like the id of a hit: the name of a source, a colon, and a key.
    static func isID(_ word: String) -> Bool {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return SourceName(String(word[..<colon])) != nil && word.utf8.index(after: colon) < word.utf8.endIndex
    }

    /// A number, or a range of numbers; nil for anything else.
    private static func range(_ word: String) -> ClosedRange<Int>? {
        let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { (0x30...0x39).contains($0) } ? Int(Substring(part)) : nil
        }
        guard numbers.count == parts.count, (1...2).contains(numbers.count), let first = numbers.first,
            let last = numbers.last, first <= last
        else { return nil }
        return first...last
    }

    private func hit(number: Int) throws(ClientError) -> JSONCursor {
        guard let search = searches.here else { throw missing("\(number)") }
        if let hit = search.hit(number: number) { return hit }
        throw ClientError(
            .init(.notFound),
            "there is no hit \(number): the last list \(search.range)",
            hint: search.hits.isEmpty ? "Search again." : "Give one of those, or the id of a hit."
        )
    }

    private func hit(idBeginning id: String) throws(ClientError) -> JSONCursor? {
        for search in searches.all {
            let found = search.hits(idBeginning: id)
            if let hit = found.first, found.count == 1 { return hit }
            if found.count > 1 {
                throw Self.ambiguous(id, among: found, count: found.count)
            }
        }
        return try saved(id)
    }

    /// The error of a beginning that several ids have.
    static func ambiguous(_ id: String, among found: [JSONCursor], count: Int) -> ClientError {
        let candidates = found.prefix(candidatesMax).map { hit in
            let title = LineWrap.cut(Cell.cells(hit[.title]?.string ?? ""), columns: titleColumnsMax)
            return "\(hit[.id]?.string ?? "?") (\(title.map(\.text).joined()))"
        }
        let rest = count > candidates.count ? " and \(FigureText.grouped(count - candidates.count)) more" : ""
        return ClientError(
            .usage,
            "“\(id)” begins the ids of \(FigureText.grouped(count)) hits: \(candidates.joined(separator: ", "))\(rest)",
            hint: "Give more of it."
        )
    }

    private func missing(_ word: String) -> ClientError {
        guard searches.here != nil else {
            return ClientError(
                .init(.notFound),
                "nothing was searched here yet",
                hint: "Run “searchctl search QUERY” or “searchctl library” first, or give the id of a hit."
            )
        }
        return ClientError(
            .init(.notFound),
            "the last list has no “\(word)”",
            hint: "Give the number in front of a title, several as 1,3 or 1-3, or the id of a hit or its beginning."
        )
    }

    private var tooMany: ClientError {
        ClientError(.usage, "more than \(FigureText.grouped(hitsMax)) hits at once", hint: "Name fewer.")
    }
}
