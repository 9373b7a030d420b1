import JSON
import SearchModel

/// Finds the hits that the words after `show`, `open` or `save` select.
struct HitSelection {
    static let shownMax = 20
    private static let candidatesMax = 5
    private static let titleColumnsMax = 24

    struct Item {
        let id: String
        let hit: JSONCursor?
    }

    typealias Saved = (_ word: String) throws(ClientError) -> JSONCursor?

    private let search: LastSearch?
    private let hitsMax: Int
    private let saved: Saved

    init(_ search: LastSearch?, hitsMax: Int = shownMax, saved: @escaping Saved = { _ in nil }) {
        self.search = search
        self.hitsMax = hitsMax
        self.saved = saved
    }

    /// A word is a number, a range such as `1-3`, an id, a prefix of an id, or the address of a saved page.
    func items(_ words: [String]) throws(ClientError) -> [Item] {
        var items: [Item] = []
        for word in words.flatMap(Self.parts) {
            if let range = Self.range(word) {
                // `range.count` could overflow an integer.
                guard range.upperBound - range.lowerBound < hitsMax - items.count else { throw tooMany }
                for number in range {
                    let hit = try hit(number: number)
                    items.append(Item(id: hit[.id]?.string ?? "", hit: hit))
                }
            } else {
                let word = LibraryEntry.isWebAddress(word) ? SavedPage.id(of: word) : word
                let hit = try hit(idBeginning: word)
                guard hit != nil || Self.isID(word) else { throw missing(word) }
                items.append(Item(id: hit?[.id]?.string ?? word, hit: hit))
            }
            guard items.count <= hitsMax else { throw tooMany }
        }
        return items
    }

    static func isID(_ word: String) -> Bool {
        guard let colon = word.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return SourceName(String(word[..<colon])) != nil && word.utf8.index(after: colon) < word.utf8.endIndex
    }

    private static func parts(_ word: String) -> [String] {
        let parts = word.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return parts.allSatisfy { range($0) != nil } ? parts : [word]
    }

    private static func range(_ word: String) -> ClosedRange<Int>? {
        let parts = word.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in part.allSatisfy(\.isDigit) ? Int(Substring(part)) : nil }
        guard numbers.count == parts.count, (1...2).contains(numbers.count), let first = numbers.first,
            let last = numbers.last, first <= last
        else { return nil }
        return first...last
    }

    private func hit(number: Int) throws(ClientError) -> JSONCursor {
        guard let search else { throw missing("\(number)") }
        if let hit = search.hit(number: number) { return hit }
        let hint = search.hits.isEmpty ? "Search again." : "Give one of these numbers, or the id of a hit."
        throw ClientError(.init(.notFound), "no hit \(number): the last list \(search.range)", hint: hint)
    }

    private func hit(idBeginning id: String) throws(ClientError) -> JSONCursor? {
        let found = search?.hits(idBeginning: id) ?? []
        if found.count > 1 { throw Self.ambiguous(id, among: found) }
        if let hit = found.first { return hit }
        return try saved(id)
    }

    static func ambiguous(_ id: String, among found: [JSONCursor]) -> ClientError {
        let candidates = found.prefix(candidatesMax).map { hit in
            "\(hit[.id]?.string ?? "?") (\((hit[.title]?.string ?? "").cut(columns: titleColumnsMax)))"
        }
        let more = found.count - candidates.count
        let rest = more > 0 ? " and \(NumberText.grouped(more)) more" : ""
        return ClientError(
            .usage,
            "“\(id)” is a prefix of the ids of \(NumberText.grouped(found.count)) hits: "
                + "\(candidates.joined(separator: ", "))\(rest)",
            hint: "Give a longer prefix."
        )
    }

    private func missing(_ word: String) -> ClientError {
        guard !word.contains("://") else {
            return ClientError(.usage, "\(word) is not a web address", hint: "Begin it with http:// or https://.")
        }
        let host = word.prefix { $0 != "/" }
        let isHost = host.contains(".") && host.allSatisfy { $0.isLetter || $0.isNumber || "-.".contains($0) }
        let address = isHost ? NearestName.question("https://\(word)") : nil
        guard search != nil else {
            let hint = "Run “searchctl search QUERY” or “searchctl library” first, or give the id of a hit."
            return ClientError(.init(.notFound), LastSearch.missing, hint: address ?? hint)
        }
        let hint =
            "Give the number in front of a title, numbers such as 1,3 or 1-3, the id of a hit, or a prefix of an id."
        return ClientError(.init(.notFound), "the last list has no “\(word)”", hint: address ?? hint)
    }

    private var tooMany: ClientError {
        ClientError(.usage, "too many hits at once", hint: "Give at most \(NumberText.count(hitsMax, "hit")).")
    }
}
