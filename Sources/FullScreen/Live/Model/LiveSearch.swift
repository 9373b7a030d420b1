import Client
import JSON
import RPC
import SearchModel

/// What is searched and how: the query and what was chosen besides; pure.
struct LiveSearch: Equatable {
    /// Latest wins.
    private static let channel = "live"
    /// A first answer fills the screen; of further ones, fewer and longer cost fewer calls.
    private static let firstLimit = 30
    private static let moreLimit = 100
    /// Hits are shown as they come; only their order waits for the slowest, and not for longer.
    private static let timeoutMilliseconds = 5000

    var query = ""
    var sort = Sort.relevance
    /// Nil for all.
    var kinds: [String] = []
    /// Names of sources, accounts or profiles; empty for the default ones.
    var sources: [String] = []
    /// Whether only what is on this machine is searched: the cache, what is saved, what searches have brought.
    var isOffline = false

    init(query: String = "", kinds: [String] = [], sources: [String] = [], sort: Sort = .relevance) {
        (self.query, self.kinds, self.sources, self.sort) = (query, kinds, sources, sort)
    }

    /// The query as the daemon takes it; nil when there is none.
    var searched: SearchQuery? { SearchQuery(filtered.query) }

    /// The words of the query, without those that filter: `site:example.org`, `since:2024-03-09`, `until:2024`.
    private var filtered: (query: String, filters: [(member: Member, text: String)]) {
        var filters: [(member: Member, text: String)] = []
        let words = query.split(separator: " ").filter { word in
            let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let filter = Self.filter(parts[0], parts[1]) else { return true }
            filters.append(filter)
            return false
        }
        return (filters.isEmpty ? query : words.joined(separator: " "), filters)
    }

    /// A filter that is written in full; nil for any other word.
    private static func filter(_ name: String, _ value: String) -> (member: Member, text: String)? {
        let isYear = value.utf8.count == 4 && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let isDay = value.utf8.count == 10 && value.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        return switch name {
        case "site" where value.contains("."): (.site, value)
        case "since" where isYear || isDay: (.since, isYear ? "\(value)-01-01" : value)
        case "until" where isYear || isDay: (.until, isYear ? "\(value)-12-31" : value)
        default: nil
        }
    }

    /// - Parameters:
    ///   - cursor: Where the list goes on; nil for its beginning.
    ///   - isFresh: Whether the sources are asked again.
    ///   - renewed: How many hits are asked for at once, none of them before the others; nil for hits as they come.
    /// - Returns: JSON.
    func params(cursor: String? = nil, isFresh: Bool = false, renewed: Int? = nil) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, searched?.text ?? "")
            let asked = isOffline && sources.isEmpty ? ["@default", "library", "seen"] : sources
            if !asked.isEmpty { writer.member(.sources, asked) }
            writer.member(.offline, isOffline ? true : nil)
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            writer.member(.sort, sort == .relevance ? nil : sort.rawValue)
            let filters = filtered.filters
            if !filters.isEmpty {
                writer.object(.filter) { writer in for filter in filters { writer.member(filter.member, filter.text) } }
            }
            writer.member(.cursor, cursor)
            let limit = renewed.map { min($0, WireBounds.limit.upperBound) }
            writer.member(.limit, limit ?? (cursor == nil ? Self.firstLimit : Self.moreLimit))
            writer.member(.stream, renewed == nil)
            writer.member(.progress, renewed == nil)
            writer.member(.timeout, Self.timeoutMilliseconds)
            writer.member(.channel, Self.channel)
            writer.member(.maxAge, isFresh ? 0 : nil)
        }
    }

    /// `by date · @books · book, blog`; empty when all is as it begins.
    var choices: String {
        let order: String? =
            switch sort {
            case .relevance: nil
            case .recency: "newest first"
            case .title: "by title"
            }
        let parts = [
            isOffline ? "only what is on this machine" : nil, order, FigureText.names(sources), FigureText.names(kinds),
        ].compactMap(\.self)
        return VisibleText.visible(parts.filter { !$0.isEmpty }.joined(separator: " · "))
    }

    mutating func nextSort() {
        let all = Sort.allCases
        sort = all[((all.firstIndex(of: sort) ?? 0) + 1) % all.count]
    }
}

/// Which part of the library is shown, and how; pure.
struct LibraryQuestion: Equatable {
    static let sorts = ["saved", "published", "title", "rating"]
    static let groups = ["", "genre", "kind", "source", "tag", "month"]
    private static let limit = 200

    var query = ""
    private(set) var sort = 0
    private(set) var group = 0

    var isGrouped: Bool { group > 0 }

    mutating func nextSort() { sort = (sort + 1) % Self.sorts.count }
    mutating func nextGroup() { group = (group + 1) % Self.groups.count }

    /// - Parameters:
    ///   - cursor: Where the list goes on; nil for its beginning.
    ///   - kinds: Only these; all when it is empty.
    ///   - count: How many are shown already and are asked for again.
    /// - Returns: JSON.
    func params(cursor: String? = nil, kinds: [String] = [], count: Int = 0) -> [UInt8] {
        JSONWriter.bytes { writer in
            let query = SearchQuery(query)?.text
            writer.member(.query, query)
            if !kinds.isEmpty { writer.member(.kinds, kinds) }
            // With a query, the best match comes first until another order is asked for.
            if sort > 0 || query == nil { writer.member(.sort, Self.sorts[sort]) }
            if isGrouped { writer.member(.groupBy, Self.groups[group]) }
            writer.member(.cursor, isGrouped ? nil : cursor)
            writer.member(.limit, min(max(Self.limit, count), WireBounds.limit.upperBound))
        }
    }

    var choices: String {
        let isMatched = sort == 0 && SearchQuery(query) != nil
        let order = isMatched ? "best match first" : ["latest first", "newest first", "by title", "best first"][sort]
        return [order, isGrouped ? "by \(Self.groups[group])" : ""].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The items of an answer, the first of each group with its heading.
    static func items(_ result: JSONCursor) -> [HitList.Item] {
        guard let groups = result[.groups]?.elements else {
            return (result[.items]?.elements ?? []).map { HitList.Item($0) }
        }
        return groups.flatMap { group in
            let name = group[.name]?.string ?? ""
            let count = FigureText.grouped(group[.count]?.int ?? 0)
            let heading = "\(name.isEmpty ? "(none)" : name) \(count)"
            return (group[.items]?.elements ?? []).enumerated().map { index, item in
                HitList.Item(item, heading: index == 0 ? heading : nil)
            }
        }
    }
}
