import Catalogue
import Hangul
import JSON
import SearchModel
import Upstream

/// The hits of several sources: given hits in order, and hits that wait for their turn, joined by item.
///
/// The hit that came first stays, of several at once the hit with the best rank; the same item of another source only
/// raises it. Two hits of one source are never joined: the source says that they differ.
///
/// Invariant: `pending[source]` is the number of waiting items in which the source has a part; the hits of `given` are
/// never moved or removed.
struct MergePool: Sendable {
    /// A page that has come, and the rank of its first hit.
    struct Arrival {
        let page: CachedPage
        let source: Int
        let firstRank: Int
    }

    private enum State {
        case waiting
        /// At an index of `given`.
        case given(Int)
        /// The filter does not keep it.
        case leftOut
    }

    private struct Item: Sendable {
        var hit: HitPosition
        var match: HitMatch
        var order: MergeOrder
        /// The parts of its score, by relevance.
        var parts = ScoreParts()
        var state = State.waiting
    }

    /// A page whose hits from an index on wait.
    private struct Listed {
        let page: CachedPage
        var index = 0
    }

    /// How many of the last hits given count against the next one of the same source; with it they make a page of ten.
    static let recentMax = 9

    let sort: Sort
    /// Nil without a filter.
    private(set) var filtering: Filtering?
    private(set) var given: [HitPosition] = []
    /// The score of each hit given by relevance, except those of a source alone.
    private(set) var givenParts: [ScoreParts] = []
    private(set) var pending: [Int]
    private var items: [Item] = []
    /// The page of a source alone whose hits wait.
    private var listed: Listed?
    /// The waiting items of each source, the next one last.
    private var waiting: [[Int]]
    /// The sources of the hits given last.
    private var recent: [Int] = []
    private var known: [ItemIdentity.Mark: Int] = [:]
    private var seen: Set<ExactText> = []
    /// Items by their ids, when a user's own data may hold the very hits of another source.
    private var byID: [ExactText: Int] = [:]
    private let hasOwn: Bool
    /// Nil for a source alone, and in other orders than by relevance.
    private var ranking: Ranking?
    private let tieSeed: UInt64

    /// `now` is in seconds since 1970, and stays the same along a cursor.
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

    /// The order and the source of the next hit; nil when nothing waits.
    ///
    /// - Complexity: O(sources)
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

    /// Whether any hit that waits will be given.
    ///
    /// - Complexity: mostly O(1) without a filter, else O(n) in what waits.
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

    /// Lets the filter look so far.
    mutating func look(upTo limit: Int) {
        if let filtering { self.filtering?.limit = max(filtering.limit, limit) }
    }

    /// Its approximate memory, without pages.
    var bytes: Int {
        let hits = given.capacity * MemoryLayout<HitPosition>.stride + items.capacity * MemoryLayout<Item>.stride
        // An entry of a set or dictionary with its key.
        return 1024 + hits + (seen.capacity + byID.capacity) * 32 + known.capacity * 48
    }

    /// The pages of the hits that wait.
    var waitingPages: [CachedPage] {
        waiting.joined().map { items[$0].hit.page } + [listed?.page].compactMap(\.self)
    }

    /// The best order that a source's hits from a rank on, which have not come, are expected to have.
    func expected(ofSource source: Int, rank: Int) -> MergeOrder? {
        ranking.map { ranking in
            let score = ranking.expected(ofSource: source, rank: rank).sum
            return varied(MergeOrder(key: .score(score), rank: rank, tie: 0, source: source))
        }
    }

    /// The order after the hits given last.
    private func varied(_ order: MergeOrder) -> MergeOrder {
        guard case .score(let score) = order.key else { return order }
        var order = order
        order.key = .score(score + variety(ofSource: order.source))
        return order
    }

    private func variety(ofSource source: Int) -> Double {
        Ranking.variety(afterRepetitions: recent.count { $0 == source })
    }

    // MARK: Receiving

    /// Lets a page's hits wait in the order of the page, for a source alone; returns whether any of them is new.
    mutating func receive(inOrder page: CachedPage) -> Bool {
        listed = page.entries.isEmpty ? nil : Listed(page: page)
        pending[0] = page.entries.count
        return page.entries.contains { !seen.contains(ExactText($0.id)) }
    }

    /// Lets the hits of pages that came together wait for their turn, each joined with the same item if it is known,
    /// and orders all that waits.
    ///
    /// Returns the sources with any new hit. The order of the pages makes no difference.
    mutating func receive(_ arrivals: [Arrival]) -> Set<Int> {
        var withNew: Set<Int> = []
        makeRoom(for: arrivals.reduce(0) { $0 + $1.page.entries.count })
        // By rank, so that others are joined with the hit of the best rank.
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
                // The same hit of another source.
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

    /// Adds what another source has of an item; a second hit of that source adds nothing.
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
        case .given(let position): given[position].duplicates = duplicates
        case .waiting:
            pending[source] += 1
            if let words = ranking?.terms.words.count {
                items[number].match = items[number].match.union(match(arrival.page, index), words: words)
            }
        }
        items[number].hit.duplicates = duplicates
    }

    /// Grows the set at once, because each growth hashes all its elements again.
    private mutating func makeRoom(for count: Int) {
        let needed = seen.count + count
        if needed > seen.capacity { seen.reserveCapacity(max(needed, seen.count * 2)) }
    }

    /// Scores and orders what waits, by all that has come.
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

    // MARK: Giving

    /// Gives the next hit, or leaves it out.
    ///
    /// A hit that is left out still counts for variety: the filter only removes hits from the list.
    mutating func giveNext() {
        if listed != nil { return giveListed() }
        guard let source = next?.source, let number = waiting[source].popLast() else { return }
        let item = items[number]
        let isKept = filtering?.look(at: item.hit.entry, of: item.hit.page) ?? true
        items[number].state = isKept ? .given(given.count) : .leftOut
        if isKept { given.append(item.hit) }
        if ranking != nil {
            var parts = item.parts
            parts.variety = variety(ofSource: source)
            if isKept { givenParts.append(parts) }
            recent.append(source)
            if recent.count > Self.recentMax { recent.removeFirst() }
        }
        pending[source] -= 1
        for duplicate in item.hit.duplicates { pending[duplicate.sourceIndex] -= 1 }
    }

    /// Gives the next hit of a source alone, unless it was given before or the filter leaves it out.
    private mutating func giveListed() {
        guard let page = listed?.page, let index = listed?.index else { return }
        pending[0] -= 1
        listed?.index += 1
        if pending[0] == 0 { listed = nil }
        let entry = page.entries[index]
        guard seen.insert(ExactText(entry.id)).inserted, filtering?.look(at: entry, of: page) ?? true else { return }
        given.append(HitPosition(page: page, index: index))
    }

    /// The key of a hit that has come; its score is computed when all have come that came with it.
    func key(_ entry: CachedPage.Entry) -> MergeOrder.Key {
        switch sort {
        case .relevance: .score(0)
        case .recency: .date(entry.publishedSeconds ?? .min)
        case .title: .title(TitleOrder(entry.title))
        }
    }
}
