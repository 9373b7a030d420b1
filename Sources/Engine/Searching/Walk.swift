import Catalogue
import EventLoop
import SearchModel
import Upstream

/// One search over its sources as far as its callers have paged: the merged list grows at its end and never changes
/// before.
///
/// A source's next page is merged when all its hits so far have been given, and something on it may come next; so what
/// the list becomes depends on what the sources answer, and never on when. Along a cursor no hit comes twice and none
/// is skipped, whatever the sources do to their totals and orders meanwhile. Pure.
struct Walk: Sendable {
    let query: SearchQuery
    let sort: Sort
    /// The position of the first merged hit in the list that the caller sees.
    let base: Int
    /// The user of whose own data a part may be; nil when there is none of that.
    let owner: UInt32?
    private(set) var sources: [SourceWalk]
    var pool: MergePool
    /// With a filter, how far in the list without it this one looks.
    var lookedLimit = 0
    let validity = ValidityToken()

    /// Begins a walk so that position `offset` can be reached; a source alone is entered at the page that holds it.
    ///
    /// `now` are seconds since 1970: how new a hit is counts the same as long as the list grows.
    init(_ request: SearchRequest, now: Int64) {
        query = request.query
        sort = request.sort
        owner = request.sources.contains { $0.own != nil } ? request.client.userID : nil
        let firstPage = request.entersAtOffset ? request.offset / request.sources[0].pageSize : 0
        base = request.entersAtOffset ? firstPage * request.sources[0].pageSize : 0
        sources = request.sources.map { profile in
            SourceWalk(profile: profile, options: request.options[profile.name] ?? [], firstPage: firstPage)
        }
        pool = MergePool(
            request.query,
            sort: request.sort,
            sources: request.sources,
            filter: request.filter,
            now: now
        )
    }

    /// The merged list from `base` on.
    var merged: [HitPosition] { pool.given }

    /// The number of hits from the beginning of the list to the end of what is merged.
    var end: Int { base + pool.given.count }

    /// Whether more may come of sources other than `excluded`; those that can't be asked never have any.
    func mayGrow(without excluded: Set<SourceName>) -> Bool {
        pool.hasMore
            || sources.contains { !$0.isEnd && $0.profile.unavailable == nil && !excluded.contains($0.profile.name) }
    }

    /// The sources that have given all they have.
    var endedSources: Set<SourceName> {
        Set(sources.indices.filter { hasEnded($0) }.map { sources[$0].profile.name })
    }

    /// Whether a source has no hits but those that are merged.
    func hasEnded(_ index: Int) -> Bool {
        sources[index].isEnd && pool.pending[index] == 0
    }

    /// The pages to get before the list can reach `position`; empty when it does, or can't grow.
    func needs(upTo position: Int, without excluded: Set<SourceName>) -> [PageNeed] {
        guard end < position, !hasLookedEnough else { return [] }
        let active = active(without: excluded)
        let weight = active.reduce(0) { $0 + sources[$1].profile.weight }
        let next = pool.next?.order
        return active.filter { isDue($0, before: next) }.flatMap { index in
            let share = Double(position - end) * sources[index].profile.weight / weight
            return needs(of: sources[index], for: max(1, Int(share.rounded(.up))))
        }
    }

    /// Further pages that will be needed if the sources that have yet to answer have as good hits as the others.
    ///
    /// So a source that answers quickly gives its part of a large window without waiting for a slow one. By relevance
    /// the parts are taken to be equal for equal weights, and larger for greater ones.
    func needsAhead(upTo position: Int, without excluded: Set<SourceName>) -> [PageNeed] {
        guard end < position, !hasLookedEnough, sort == .relevance || sources.count == 1 else { return [] }
        let active = active(without: excluded)
        let weight = active.reduce(0) { $0 + sources[$1].profile.weight } / Double(active.count)
        return active.filter { sources[$0].hasFigures && sources[$0].profile.weight >= weight }.flatMap { index in
            let lacking = (position - end) / active.count - pool.pending[index]
            return lacking > 0 ? needs(of: sources[index], for: lacking) : []
        }
    }

    /// The sources that may have more.
    private func active(without excluded: Set<SourceName>) -> [Int] {
        sources.indices.filter { !sources[$0].isEnd && !excluded.contains(sources[$0].profile.name) }
    }

    /// Whether there is one source, whose hits are given as they stand.
    private var keepsOrder: Bool { sources.count == 1 && sources[0].profile.makes(sort) }

    private func needs(of source: SourceWalk, for missing: Int) -> [PageNeed] {
        let pages = source.pagesNeeded(for: missing)
        return pages.map { page in
            PageNeed(
                key: PageKey(
                    source: source.profile.name,
                    request: PageRequest(
                        query: query,
                        sort: source.upstreamSort(for: sort),
                        page: page,
                        options: source.options
                    ),
                    edition: source.profile.edition
                ),
                freshness: source.profile.freshness,
                notBefore: source.notBefore,
                own: source.profile.own
            )
        }
    }

    mutating func received(_ page: CachedPage) {
        guard let index = sources.firstIndex(where: { $0.profile.name == page.key.source }) else { return }
        sources[index].received(page)
    }

    /// Merges until the list reaches `position`, or a source's page that may change what comes next is not here yet.
    ///
    /// Sources that are `excluded` are not waited for, but what has come of them takes part.
    mutating func merge(upTo position: Int, without excluded: Set<SourceName>) {
        while end < position, !hasLookedEnough {
            let next = pool.next?.order
            let due = sources.indices.filter { index in
                isDue(index, before: next)
                    && (sources[index].hasNextPage || !excluded.contains(sources[index].profile.name))
            }
            if due.isEmpty {
                guard next != nil else { return }
                pool.giveNext()
                continue
            }
            guard due.allSatisfy({ sources[$0].hasNextPage }) else { return }
            takePages(of: due)
        }
        checkInvariants()
    }

    /// A source at its end has no pages to come, and pages that wait lie ahead of what was taken.
    private func checkInvariants() {
        assert(sources.allSatisfy { !$0.isEnd || $0.waiting.isEmpty })
        assert(sources.allSatisfy { source in source.waiting.keys.allSatisfy { $0 >= source.nextPage } })
    }

    /// Whether a source's next page is to be merged before anything else is given.
    private func isDue(_ index: Int, before next: MergeOrder?) -> Bool {
        guard !sources[index].isEnd, pool.pending[index] == 0 else { return false }
        guard let bound = sources[index].bound, let next else { return true }
        return switch bound {
        case .from(let order): order < next
        case .expected: pool.expected(ofSource: index, rank: sources[index].nextRank).map { $0 < next } ?? true
        case .behind: false
        }
    }

    private mutating func takePages(of due: [Int]) {
        var arrivals: [MergePool.Arrival] = []
        var withNew: Set<Int> = []
        for index in due {
            let firstRank = sources[index].nextRank
            guard let page = sources[index].takeNextPage() else { continue }
            sources[index].bound = bound(of: index, after: page)
            if hasPassedFilter(index, page) { sources[index].end() }
            if keepsOrder {
                if pool.give(all: page) { withNew.insert(index) }
            } else {
                arrivals.append(MergePool.Arrival(page: page, source: index, firstRank: firstRank))
            }
        }
        if !arrivals.isEmpty { withNew = pool.receive(arrivals) }
        for index in due { sources[index].merged(anythingNew: withNew.contains(index)) }
    }

    private func bound(of index: Int, after page: CachedPage) -> SourceWalk.Bound? {
        let source = sources[index]
        if sort == .relevance, sources.count > 1 { return .expected }
        guard source.profile.makes(sort) else { return .behind }
        let last = sort == .recency ? page.entries.last { $0.publishedSeconds != nil } : page.entries.last
        guard let last = last ?? page.entries.last else { return source.bound }
        return .from(MergeOrder(key: pool.key(last), rank: source.nextRank, tie: 0, source: index))
    }

    /// What made the score of a merged hit by relevance, for a source alone its rank; nil in other orders.
    func parts(ofMerged index: Int) -> ScoreParts? {
        guard sort == .relevance else { return nil }
        return keepsOrder ? .alone(rank: rank(of: merged[index])) : pool.givenParts[index]
    }

    /// The rank of a hit in its own source's list, from 1.
    func rank(of hit: HitPosition) -> Int {
        hit.page.key.request.page * (source(hit.source)?.profile.pageSize ?? 0) + hit.index + 1
    }

    /// The hits from one position of the list up to another, as far as they are merged.
    func window(from start: Int, count: Int) -> ArraySlice<HitPosition> {
        let lower = min(max(0, start - base), merged.count)
        return merged[lower..<min(lower + count, merged.count)]
    }

    func source(_ name: SourceName) -> SourceWalk? {
        sources.first { $0.profile.name == name }
    }

    /// The pages that the walk keeps from being freed, each once.
    var pages: [CachedPage] {
        var pages: [CachedPage] = []
        var seen: Set<ObjectIdentifier> = []
        func note(_ page: CachedPage) {
            // Mostly it is the one before it, too.
            if pages.last !== page, seen.insert(ObjectIdentifier(page)).inserted { pages.append(page) }
        }
        for hit in merged { note(hit.page) }
        for page in pool.waitingPages { note(page) }
        for source in sources {
            source.waiting.values.forEach(note)
        }
        return pages
    }
}
