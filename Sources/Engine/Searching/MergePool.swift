import Catalogue
import Hangul
import SearchModel
import Upstream

/// The hits of several sources that have come: those given, in order, and those that wait for their turn, joined.
///
/// The hit that came first stays, of those that came together the one of the best rank; the same item of another source
/// only raises it. Of two hits of one source neither is joined with the other: the source says that they differ.
///
/// Invariant: no two heads of different sources have a mark in common; `pending[source]` is the number of items that
/// wait and in which the source has a part; the hits of `given` are never moved or removed.
struct MergePool: Sendable {
    /// A page that has come, and the rank of its first hit.
    struct Arrival {
        let page: CachedPage
        let source: Int
        let firstRank: Int
    }

    private struct Item: Sendable {
        var hit: HitPosition
        var match = HitMatch()
        var order: MergeOrder
        /// What makes its score, by relevance.
        var parts = ScoreParts()
        /// Where it stands in `given`, once it does.
        var position: Int?
        /// Whether the filter has left it out.
        var isLeftOut = false
    }

    /// How many of the last hits given count against the next one of the same source; with it they make a page of ten.
    static let recentMax = 9

    let sort: Sort
    let sources: [SourceProfile]
    @Rare private(set) var filter: HitFilter?
    private(set) var given: [HitPosition] = []
    /// With a filter, of each hit given its position in the list without one.
    private(set) var positions: [Int] = []
    /// The positions in that list of those that were left out for want of a date.
    private(set) var undated: [Int] = []
    /// How many hits of that list the filter has looked at.
    private var filtered = 0
    /// Of each hit given by relevance what its score was made of; none of those that were given as they stood.
    private(set) var givenParts: [ScoreParts] = []
    private(set) var pending: [Int]
    private var items: [Item] = []
    /// Of each source the items that wait and that it came with, the next one last.
    private var waiting: [[Int]]
    /// The sources of the hits given last.
    private var recent: [Int] = []
    private var known: [ItemIdentity.Mark: Int] = [:]
    private var seen: Set<String> = []
    /// Items by their ids, when users' own data may hold the very hits of another source.
    private var byID: [String: Int] = [:]
    private let hasOwn: Bool
    /// Nil for a source alone, and in other orders than by relevance.
    private var ranking: Ranking?
    private let tieSeed: UInt64

    /// `now` are seconds since 1970, and stay the same along a cursor.
    init(_ query: SearchQuery, sort: Sort, sources: [SourceProfile], filter: HitFilter? = nil, now: Int64) {
        self.sort = sort
        self.sources = sources
        self.filter = filter
        hasOwn = sources.contains { $0.own != nil }
        pending = Array(repeating: 0, count: sources.count)
        waiting = Array(repeating: [], count: sources.count)
        let isMerged = sources.count > 1
        ranking = isMerged && sort == .relevance ? Ranking(query, sources, now: now) : nil
        tieSeed = isMerged ? MergeOrder.seed(of: query) : 0
    }

    /// What comes next, and of which source; nil when nothing waits.
    ///
    /// - Complexity: O(sources)
    var next: (order: MergeOrder, source: Int)? {
        var next: (order: MergeOrder, source: Int)?
        for source in waiting.indices {
            guard let number = waiting[source].last else { continue }
            let order = varied(items[number].order)
            if let best = next?.order, best < order { continue }
            next = (order, source)
        }
        return next
    }

    /// How many hits have been given or left out.
    var looked: Int { filter == nil ? given.count : filtered }

    /// Whether any hit that waits will be given.
    ///
    /// - Complexity: O(1) without a filter, else O(n) in what waits.
    var hasMore: Bool { waiting.joined().contains { keeps(items[$0].hit) } }

    private func keeps(_ hit: HitPosition) -> Bool {
        filter.map { $0.verdict(on: hit.entry, of: hit.page.bytes) == .kept } ?? true
    }

    /// Looks at the next hit of the list without the filter; whether the filter keeps it.
    private mutating func look(at entry: CachedPage.Entry, of page: CachedPage) -> Bool {
        guard let filter else { return true }
        defer { filtered += 1 }
        switch filter.verdict(on: entry, of: page.bytes) {
        case .kept: positions.append(filtered)
        case .undated:
            undated.append(filtered)
            return false
        case .leftOut: return false
        }
        return true
    }

    /// The pages that hits which wait stand in.
    var waitingPages: [CachedPage] { waiting.joined().map { items[$0].hit.page } }

    /// Where a source's hits from a rank on, which have not come, are expected at the best.
    func expected(ofSource source: Int, rank: Int) -> MergeOrder? {
        ranking.map { ranking in
            let score = ranking.expected(ofSource: source, rank: rank).sum
            return varied(MergeOrder(key: .score(score), rank: rank, tie: 0, source: source))
        }
    }

    /// The order that counts while the hits given last are these.
    private func varied(_ order: MergeOrder) -> MergeOrder {
        guard case .score(let score) = order.key else { return order }
        var order = order
        order.key = .score(score + variety(ofSource: order.source))
        return order
    }

    private func variety(ofSource source: Int) -> Double {
        Ranking.variety(afterRepetitions: recent.count { $0 == source })
    }

    /// Appends a page's hits in order; used when there is one source.
    ///
    /// Returns whether any of them is new.
    mutating func give(all page: CachedPage) -> Bool {
        let count = looked
        makeRoom(for: page.entries.count)
        if given.isEmpty { given.reserveCapacity(page.entries.count) }
        // Looked at where they are: a copy of an entry counts its references.
        let all = page.entries
        let entries = all.span
        let hasFilter = filter != nil
        for index in entries.indices where seen.insert(entries[index].id).inserted {
            // Without a filter no copy of an entry is made.
            if hasFilter, !look(at: entries[index], of: page) { continue }
            given.append(HitPosition(page: page, index: index))
        }
        return looked > count
    }

    /// Lets the hits of pages that came together wait for their turn, each joined with what is known to be the same,
    /// and puts all that waits in order.
    ///
    /// Answers the sources with any new hit. In which order the pages are named makes no difference.
    mutating func receive(_ arrivals: [Arrival]) -> Set<Int> {
        var withNew: Set<Int> = []
        makeRoom(for: arrivals.reduce(0) { $0 + $1.page.entries.count })
        // By rank, so that the hit that others are joined with is that of the best rank.
        let deepest = arrivals.map { $0.firstRank + $0.page.entries.count }.max() ?? 0
        for rank in (arrivals.map(\.firstRank).min() ?? 0)..<deepest {
            var level: [(arrival: Arrival, index: Int, tie: UInt64)] = []
            var again: [(arrival: Arrival, index: Int)] = []
            for arrival in arrivals where arrival.page.entries.indices.contains(rank - arrival.firstRank) {
                let index = rank - arrival.firstRank
                let id = arrival.page.entries[index].id
                guard seen.insert(id).inserted else {
                    if hasOwn { again.append((arrival, index)) }
                    continue
                }
                withNew.insert(arrival.source)
                level.append((arrival, index, MergeOrder.tie(of: id, seed: tieSeed)))
            }
            level.sort { ($0.tie, $0.arrival.source) < ($1.tie, $1.arrival.source) }
            for hit in level { receive(hit.arrival, hit.index, rank: rank, tie: hit.tie) }
            for hit in again { joinByID(hit.arrival, hit.index, rank: rank) }
        }
        arrange()
        return withNew
    }

    /// Joins a hit with the same hit of another source.
    private mutating func joinByID(_ arrival: Arrival, _ index: Int, rank: Int) {
        let id = arrival.page.entries[index].id
        guard let number = byID[id], items[number].order.source != arrival.source else { return }
        let match = ranking == nil ? HitMatch() : arrival.page.matches[index]
        join(id, of: arrival.page.key.source, at: arrival.source, rank: rank, match, with: number)
    }

    private mutating func receive(_ arrival: Arrival, _ index: Int, rank: Int, tie: UInt64) {
        let (entry, source) = (arrival.page.entries[index], arrival.source)
        let match = ranking == nil ? HitMatch() : arrival.page.matches[index]
        ranking?.note(match, of: source)
        let marks = entry.identity.marks
        let twin = marks.lazy.compactMap { [known] in known[$0] }.first { [items] in items[$0].order.source != source }
        let number = twin ?? items.count
        if let twin {
            join(entry.id, of: arrival.page.key.source, at: source, rank: rank, match, with: twin)
        } else {
            items.append(
                Item(
                    hit: HitPosition(page: arrival.page, index: index),
                    match: match,
                    order: MergeOrder(key: key(entry), rank: rank, tie: tie, source: source)
                )
            )
            waiting[source].append(number)
            pending[source] += 1
        }
        for mark in marks where known[mark] == nil { known[mark] = number }
        if hasOwn { byID[entry.id] = number }
    }

    /// Makes room at once: a set that grows hashes all it holds again.
    private mutating func makeRoom(for count: Int) {
        let needed = seen.count + count
        if needed > seen.capacity { seen.reserveCapacity(max(needed, seen.count * 2)) }
    }

    /// Scores what waits, by all that has come, and puts it in order.
    private mutating func arrange() {
        ranking?.weigh()
        if let ranking {
            for number in waiting.joined() { score(number, ranking) }
        }
        let items = items
        for source in waiting.indices { waiting[source].sort { items[$1].order < items[$0].order } }
        checkInvariants()
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

    /// Gives what comes next, which must wait, or leaves it out.
    ///
    /// What is left out still counts for variety: with a filter the list is the other one without some of its hits.
    mutating func giveNext() {
        guard let source = next?.source, let number = waiting[source].popLast() else { return }
        let item = items[number]
        let isKept = look(at: item.hit.entry, of: item.hit.page)
        if isKept {
            items[number].position = given.count
            given.append(item.hit)
        } else {
            items[number].isLeftOut = true
        }
        if ranking != nil {
            var parts = item.parts
            parts.variety = variety(ofSource: source)
            if isKept { givenParts.append(parts) }
            recent.append(source)
            if recent.count > Self.recentMax { recent.removeFirst() }
        }
        pending[source] -= 1
        for duplicate in item.hit.duplicates { pending[duplicate.sourceIndex] -= 1 }
        checkInvariants()
    }

    private func checkInvariants() {
        assert(looked <= seen.count && (filter == nil || positions.count == given.count))
        assert((ranking == nil || givenParts.count == given.count) && isPendingRight)
    }

    /// Whether `pending` counts what waits; looked at only while little does.
    private var isPendingRight: Bool {
        let all = waiting.joined()
        guard all.count < 16 else { return true }
        return sources.indices.allSatisfy { source in
            let parts = all.count { number in
                items[number].order.source == source
                    || items[number].hit.duplicates.contains { $0.sourceIndex == source }
            }
            return pending[source] == parts
        }
    }

    /// The key of a hit that has come; its score is known when all have that came with it.
    func key(_ entry: CachedPage.Entry) -> MergeOrder.Key {
        switch sort {
        case .relevance: .score(0)
        case .recency: .date(entry.publishedSeconds ?? .min)
        case .title: .title(TitleOrder(entry.title))
        }
    }

    /// Adds to an item what another source has of it; what a source repeats of it adds nothing.
    private mutating func join(
        _ id: String,
        of name: SourceName,
        at source: Int,
        rank: Int,
        _ match: HitMatch,
        with number: Int
    ) {
        var duplicates = items[number].hit.duplicates
        guard !items[number].isLeftOut, !duplicates.contains(where: { $0.sourceIndex == source }) else { return }
        let position = items[number].position
        let duplicate = HitPosition.Duplicate(
            source: name,
            id: id,
            sourceIndex: source,
            rank: rank,
            counts: position == nil
        )
        duplicates.insert(duplicate, at: duplicates.firstIndex { $0.sourceIndex > source } ?? duplicates.count)
        items[number].hit.duplicates = duplicates
        if let position {
            given[position].duplicates = duplicates
            return
        }
        pending[source] += 1
        if let ranking { items[number].match = items[number].match.union(match, words: ranking.terms.words.count) }
    }
}
