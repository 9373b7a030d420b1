import Catalogue
import Hangul
import JSON
import SearchModel
import Upstream

/// The merged hits of a search, and the hits that wait to be merged.
///
/// Hits of different sources for the same item are joined. Hits in `merged` never move.
struct MergePool: Sendable {
    struct Arrival {
        let page: CachedPage
        let source: Int
        let firstRank: Int
    }

    private enum State {
        case waiting
        case merged(Int)
        case leftOut
    }

    private struct Item: Sendable {
        var hit: HitPosition
        var match: HitMatch
        var order: MergeOrder
        var parts = ScoreParts()
        var state = State.waiting
    }

    private struct Listed {
        let page: CachedPage
        var index = 0
    }

    /// Each of the last nine merged hits lowers the score of the next hit of the same source.
    static let recentMax = 9

    let sort: Sort
    private(set) var filtering: Filtering?
    private(set) var merged: [HitPosition] = []
    /// Empty unless several sources are sorted by relevance.
    private(set) var mergedParts: [ScoreParts] = []
    private(set) var pending: [Int]
    private var items: [Item] = []
    /// The current page, if there is only one source.
    private var listed: Listed?
    /// The waiting items of each source, the best item last.
    private var waiting: [[Int]]
    private var recent: [Int] = []
    private var known: [ItemIdentity.Mark: Int] = [:]
    private var seen: Set<ExactText> = []
    private var byID: [ExactText: Int] = [:]
    private let hasOwn: Bool
    private var ranking: Ranking?
    private let tieSeed: UInt64

    init(_ query: SearchQuery, sort: Sort, sources: [SourceProfile], filter: HitFilter? = nil, now: Int64) {
        self.sort = sort
        filtering = filter.map { Filtering($0) }
        hasOwn = sources.contains { $0.own != nil }
        pending = Array(repeating: 0, count: sources.count)
        waiting = Array(repeating: [], count: sources.count)
        let isMerged = sources.count > 1
        ranking = isMerged && sort == .relevance ? Ranking(query, sources, now: now) : nil
        tieSeed = isMerged ? MergeOrder.seed(of: query) : 0
    }

    var next: (order: MergeOrder, source: Int)? {
        if listed != nil { return (MergeOrder(key: .score(0), rank: 0, tie: 0, source: 0), 0) }
        var next: (order: MergeOrder, source: Int)?
        for source in waiting.indices {
            guard let number = waiting[source].last else { continue }
            let order = varied(items[number].order)
            if let best = next?.order, best < order { continue }
            next = (order, source)
        }
        return next
    }

    var hasMore: Bool {
        if let listed {
            return listed.page.entries[listed.index...].contains { entry in
                !seen.contains(ExactText(entry.id))
                    && filtering?.filter.verdict(on: entry, of: listed.page.bytes) ?? .kept == .kept
            }
        }
        return waiting.joined().contains { number in
            let hit = items[number].hit
            return filtering.map { $0.filter.verdict(on: hit.entry, of: hit.page.bytes) == .kept } ?? true
        }
    }

    mutating func look(upTo limit: Int) {
        if let filtering { self.filtering?.limit = max(filtering.limit, limit) }
    }

    var bytes: Int {
        let hits = merged.capacity * MemoryLayout<HitPosition>.stride + items.capacity * MemoryLayout<Item>.stride
        // An entry of a set or dictionary takes about 32 or 48 bytes.
        return 1024 + hits + (seen.capacity + byID.capacity) * 32 + known.capacity * 48
    }

    var waitingPages: [CachedPage] {
        waiting.joined().map { items[$0].hit.page } + [listed?.page].compactMap(\.self)
    }

    /// Estimates the order of a hit that has not arrived; returns nil without a ranking.
    func expected(ofSource source: Int, rank: Int) -> MergeOrder? {
        ranking.map { ranking in
            let score = ranking.expected(ofSource: source, rank: rank).sum
            return varied(MergeOrder(key: .score(score), rank: rank, tie: 0, source: source))
        }
    }

    private func varied(_ order: MergeOrder) -> MergeOrder {
        guard case .score(let score) = order.key else { return order }
        var order = order
        order.key = .score(score + variety(ofSource: order.source))
        return order
    }

    private func variety(ofSource source: Int) -> Double {
        Ranking.variety(afterRepetitions: recent.count { $0 == source })
    }

    /// Receives the next page of a single source; returns whether any hit is new.
    mutating func receive(inOrder page: CachedPage) -> Bool {
        listed = page.entries.isEmpty ? nil : Listed(page: page)
        pending[0] = page.entries.count
        return page.entries.contains { !seen.contains(ExactText($0.id)) }
    }

    /// Receives pages of several sources, in any order; returns the sources with new hits.
    mutating func receive(_ arrivals: [Arrival]) -> Set<Int> {
        var withNew: Set<Int> = []
        makeRoom(for: arrivals.reduce(0) { $0 + $1.page.entries.count })
        // A duplicate must join the hit with the best rank, so hits are added rank by rank.
        let deepest = arrivals.map { $0.firstRank + $0.page.entries.count }.max() ?? 0
        for rank in (arrivals.map(\.firstRank).min() ?? 0)..<deepest {
            var level: [(arrival: Arrival, index: Int, tie: UInt64)] = []
            var again: [(arrival: Arrival, index: Int)] = []
            for arrival in arrivals where arrival.page.entries.indices.contains(rank - arrival.firstRank) {
                let index = rank - arrival.firstRank
                let id = arrival.page.entries[index].id
                guard seen.insert(ExactText(id)).inserted else {
                    if hasOwn { again.append((arrival, index)) }
                    continue
                }
                withNew.insert(arrival.source)
                level.append((arrival, index, MergeOrder.tie(of: id, seed: tieSeed)))
            }
            level.sort { ($0.tie, $0.arrival.source) < ($1.tie, $1.arrival.source) }
            for hit in level { receive(hit.arrival, hit.index, rank: rank, tie: hit.tie) }
            for (arrival, index) in again {
                let known = byID[ExactText(arrival.page.entries[index].id)]
                if let known, items[known].order.source != arrival.source { join(arrival, index, rank, with: known) }
            }
        }
        arrange()
        return withNew
    }

    private mutating func receive(_ arrival: Arrival, _ index: Int, rank: Int, tie: UInt64) {
        let (entry, source) = (arrival.page.entries[index], arrival.source)
        let match = match(arrival.page, index)
        ranking?.note(match, of: source)
        let marks = entry.identity.marks
        let twin = marks.lazy.compactMap { [known] in known[$0] }.first { [items] in items[$0].order.source != source }
        let number = twin ?? items.count
        if let twin {
            join(arrival, index, rank, with: twin)
        } else {
            let order = MergeOrder(key: key(entry), rank: rank, tie: tie, source: source)
            items.append(Item(hit: HitPosition(page: arrival.page, index: index), match: match, order: order))
            waiting[source].append(number)
            pending[source] += 1
        }
        for mark in marks where known[mark] == nil { known[mark] = number }
        if hasOwn { byID[ExactText(entry.id)] = number }
    }

    private func match(_ page: CachedPage, _ index: Int) -> HitMatch {
        ranking == nil ? HitMatch() : page.matches[index]
    }

    private mutating func join(_ arrival: Arrival, _ index: Int, _ rank: Int, with number: Int) {
        let source = arrival.source
        var duplicates = items[number].hit.duplicates
        guard !duplicates.contains(where: { $0.sourceIndex == source }) else { return }
        var isWaiting = false
        if case .waiting = items[number].state { isWaiting = true }
        let duplicate = HitPosition.Duplicate(
            source: arrival.page.key.source,
            id: arrival.page.entries[index].id,
            sourceIndex: source,
            rank: rank,
            counts: isWaiting
        )
        duplicates.insert(duplicate, at: duplicates.firstIndex { $0.sourceIndex > source } ?? duplicates.count)
        switch items[number].state {
        case .leftOut: return
        case .merged(let position): merged[position].duplicates = duplicates
        case .waiting:
            pending[source] += 1
            if let words = ranking?.terms.words.count {
                items[number].match = items[number].match.union(match(arrival.page, index), words: words)
            }
        }
        items[number].hit.duplicates = duplicates
    }

    /// Grows the set in one step, because each growth hashes all elements again.
    private mutating func makeRoom(for count: Int) {
        let needed = seen.count + count
        if needed > seen.capacity { seen.reserveCapacity(max(needed, seen.count * 2)) }
    }

    private mutating func arrange() {
        ranking?.weigh()
        if let ranking {
            for number in waiting.joined() { score(number, ranking) }
        }
        let items = items
        for source in waiting.indices { waiting[source].sort { items[$1].order < items[$0].order } }
    }

    private mutating func score(_ number: Int, _ ranking: Ranking) {
        let item = items[number]
        var parts = ranking.parts(
            item.match,
            rank: item.order.rank,
            published: item.hit.entry.publishedSeconds,
            source: item.order.source
        )
        if !item.hit.duplicates.isEmpty { parts.found = Ranking.found(atRanks: item.hit.duplicates.map(\.rank)) }
        items[number].parts = parts
        items[number].order.key = .score(parts.sum)
    }

    /// Merges the best waiting hit.
    ///
    /// Even a hit that the filter excludes lowers the score of later hits of its source.
    mutating func mergeNext() {
        if listed != nil { return mergeListed() }
        guard let source = next?.source, let number = waiting[source].popLast() else { return }
        let item = items[number]
        let isKept = filtering?.look(at: item.hit.entry, of: item.hit.page) ?? true
        items[number].state = isKept ? .merged(merged.count) : .leftOut
        if isKept { merged.append(item.hit) }
        if ranking != nil {
            var parts = item.parts
            parts.variety = variety(ofSource: source)
            if isKept { mergedParts.append(parts) }
            recent.append(source)
            if recent.count > Self.recentMax { recent.removeFirst() }
        }
        pending[source] -= 1
        for duplicate in item.hit.duplicates { pending[duplicate.sourceIndex] -= 1 }
    }

    private mutating func mergeListed() {
        guard let page = listed?.page, let index = listed?.index else { return }
        pending[0] -= 1
        listed?.index += 1
        if pending[0] == 0 { listed = nil }
        let entry = page.entries[index]
        guard seen.insert(ExactText(entry.id)).inserted, filtering?.look(at: entry, of: page) ?? true else { return }
        merged.append(HitPosition(page: page, index: index))
    }

    func key(_ entry: CachedPage.Entry) -> MergeOrder.Key {
        switch sort {
        case .relevance: .score(0)
        case .recency: .date(entry.publishedSeconds ?? .min)
        case .title: .title(TitleOrder(entry.title))
        }
    }
}

/// The sort key of a hit: a higher score, a later date or an earlier title comes first.
struct MergeOrder: Comparable, Sendable {
    enum Key: Sendable {
        case score(Double)
        /// Seconds since 1970; hits without a date have the minimum and come last.
        case date(Int64)
        case title(TitleOrder)
    }

    var key: Key
    /// The rank in the source's own list, counted from 1.
    let rank: Int
    /// Zero for a hit that has not arrived, so it sorts before arrived hits with equal key and rank.
    let tie: UInt64
    let source: Int

    static func < (left: MergeOrder, right: MergeOrder) -> Bool {
        switch (left.key, right.key) {
        case (.score(let one), .score(let other)) where one != other: one > other
        case (.date(let one), .date(let other)) where one != other: one > other
        case (.title(let one), .title(let other)) where one != other: one < other
        default: (left.rank, left.tie, left.source) < (right.rank, right.tie, right.source)
        }
    }

    static func == (left: MergeOrder, right: MergeOrder) -> Bool {
        !(left < right) && !(right < left)
    }

    static func tie(of id: String, seed: UInt64) -> UInt64 {
        let key = id.utf8.firstIndex(of: UInt8(ascii: ":")).map { id[$0...] } ?? ""
        // Zero is reserved for hits that have not arrived.
        return max(1, StableHash.hash(key.utf8.span, seed: seed))
    }

    static func seed(of query: SearchQuery) -> UInt64 {
        StableHash.hash(query.text.utf8.span)
    }
}
