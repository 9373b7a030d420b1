import Catalogue
import EventLoop
import SearchModel
import Upstream

/// The merged list of one search; new hits are only appended.
///
/// The arrival order of pages does not change the list: merging waits for each page that may contain the next hit.
struct Walk: Sendable {
    let query: SearchQuery
    let sort: Sort
    /// The offset of the first merged hit.
    let base: Int
    /// The user whose own data the list may contain.
    let owner: UInt32?
    private(set) var sources: [SourceWalk]
    private(set) var pool: MergePool
    let validity = ValidityToken()

    /// `now` is in seconds since 1970.
    init(_ request: SearchRequest, now: Int64) {
        query = request.query
        sort = request.sort
        owner = request.sources.contains { $0.own != nil } ? request.client.userID : nil
        let firstPage = request.startsAtOffset ? request.offset / request.sources[0].pageSize : 0
        base = request.startsAtOffset ? firstPage * request.sources[0].pageSize : 0
        let share = (request.offset + request.limit - 1) / max(1, request.sources.count) + 1
        sources = request.sources.map { profile in
            let sortsHere = !profile.makes(request.sort)
            return SourceWalk(
                profile: profile,
                options: request.options[profile.name] ?? [],
                firstPage: firstPage,
                windowPages: sortsHere ? (share - 1) / profile.pageSize + 1 : 1,
                togetherPages: sortsHere && request.sort == .title ? SourceWalk.titlePagesMin : 1
            )
        }
        pool = MergePool(request.query, sort: sort, sources: request.sources, filter: request.filter, now: now)
    }

    var merged: [HitPosition] { pool.merged }

    var end: Int { base + pool.merged.count }

    func mayGrow(without excluded: Set<SourceName>) -> Bool {
        pool.hasMore
            || sources.contains { !$0.isEnd && $0.profile.unavailable == nil && !excluded.contains($0.profile.name) }
    }

    func hasEnded(_ index: Int) -> Bool {
        sources[index].isEnd && (pool.pending[index] == 0 || sources.count == 1 && !pool.hasMore)
    }

    /// Returns the pages that must be loaded before the list can grow to `position`.
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

    /// Returns pages of fast sources that can be loaded while slow sources have not responded.
    func needsAhead(upTo position: Int, without excluded: Set<SourceName>) -> [PageNeed] {
        guard end < position, !hasLookedEnough else { return [] }
        let active = active(without: excluded)
        guard sort == .relevance || sources.count == 1 else {
            return active.map { sources[$0] }.filter { $0.hasFigures && $0.bound == nil && !$0.profile.makes(sort) }
                .flatMap { needs(of: $0, for: 1) }
        }
        let weight = active.reduce(0) { $0 + sources[$1].profile.weight } / Double(active.count)
        return active.filter { sources[$0].hasFigures && sources[$0].profile.weight >= weight }.flatMap { index in
            let lacking = (position - end) / active.count - pool.pending[index]
            return lacking > 0 ? needs(of: sources[index], for: lacking) : []
        }
    }

    private func active(without excluded: Set<SourceName>) -> [Int] {
        sources.indices.filter { !sources[$0].isEnd && !excluded.contains(sources[$0].profile.name) }
    }

    private func needs(of source: SourceWalk, for missing: Int) -> [PageNeed] {
        source.pagesNeeded(for: missing).map { page in
            let request = PageRequest(
                query: query,
                sort: source.profile.makes(sort) ? sort : .relevance,
                page: page,
                options: source.options
            )
            return PageNeed(
                key: PageKey(source: source.profile.name, request: request, edition: source.profile.edition),
                freshness: source.profile.freshness,
                notBefore: source.notBefore,
                isFurther: source.isFurther(page),
                own: source.profile.own,
                whileTyping: source.profile.whileTyping
            )
        }
    }

    /// `isLastResort` is true if no newer version of the page can be loaded.
    mutating func received(_ page: CachedPage, of index: Int, isLastResort: Bool = false) {
        sources[index].received(page, isLastResort: isLastResort)
    }

    mutating func sortWithout(_ page: Int, of index: Int) {
        sources[index].sortWithout(page)
    }

    private var keepsOrder: Bool { sources.count == 1 && sources[0].profile.makes(sort) }

    /// Stops at a missing page that may contain the next hit; does not wait for excluded sources.
    mutating func merge(upTo position: Int, without excluded: Set<SourceName>) {
        while end < position, !hasLookedEnough {
            let next = pool.next?.order
            var due: [Int] = []
            for index in sources.indices where isDue(index, before: next) {
                let isExcluded = excluded.contains(sources[index].profile.name)
                if isExcluded ? sources[index].hasNextPage : sources[index].isReady {
                    due.append(index)
                } else if !isExcluded {
                    return
                }
            }
            if !due.isEmpty {
                takePages(of: due)
            } else if next != nil {
                pool.mergeNext()
            } else {
                return
            }
        }
    }

    /// Whether the source's next page must be added before the next hit is merged.
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
            let (firstRank, size) = (sources[index].nextRank, sources[index].profile.pageSize)
            let pages = sources[index].takeNextPages()
            guard let last = pages.last else { continue }
            sources[index].bound = bound(of: index, after: last)
            if hasPassedFilter(index, last) { sources[index].end() }
            if keepsOrder {
                if pool.receive(inOrder: last) { withNew.insert(index) }
            } else {
                arrivals += pages.enumerated().map { number, page in
                    MergePool.Arrival(page: page, source: index, firstRank: firstRank + number * size)
                }
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

    /// The parts of a hit's score, or nil if the order is not by relevance; with a single source, only `rank`.
    func parts(ofMerged index: Int) -> ScoreParts? {
        guard sort == .relevance else { return nil }
        return keepsOrder ? ScoreParts(rank: Ranking.share(ofRank: rank(of: merged[index]))) : pool.mergedParts[index]
    }

    func rank(of hit: HitPosition) -> Int {
        let source = sources.first { $0.profile.name == hit.source }
        return hit.page.key.request.page * (source?.profile.pageSize ?? 0) + hit.index + 1
    }

    func window(from start: Int, count: Int) -> ArraySlice<HitPosition> {
        let lower = min(max(0, start - base), merged.count)
        return merged[lower..<min(lower + count, merged.count)]
    }

    var pages: [CachedPage] {
        var pages: [CachedPage] = []
        var seen: Set<ObjectIdentifier> = []
        func note(_ page: CachedPage) {
            if pages.last !== page, seen.insert(ObjectIdentifier(page)).inserted { pages.append(page) }
        }
        for hit in merged { note(hit.page) }
        for page in pool.waitingPages { note(page) }
        for source in sources { source.waiting.values.forEach(note) }
        return pages
    }

    var filter: HitFilter? { pool.filtering?.filter }

    var hasLookedEnough: Bool { pool.filtering?.hasLookedEnough ?? false }

    mutating func look(upTo limit: Int) {
        pool.look(upTo: limit)
    }

    func start(of request: SearchRequest) -> Int {
        guard let cursor = request.cursor else { return request.offset }
        return pool.filtering?.kept.count(below: cursor.position) ?? cursor.position
    }

    func mayContinue(at position: Int, _ request: SearchRequest) -> Bool {
        position <= (pool.filtering?.looked ?? max(end, request.offsetLimit))
    }

    func position(after window: ArraySlice<HitPosition>, of request: SearchRequest, from start: Int) -> Int {
        guard let filtering = pool.filtering else { return max(start + window.count, base) }
        guard window.count == request.limit, let last = window.indices.last else { return filtering.looked }
        return filtering.kept[last] + 1
    }

    func filtered(_ request: SearchRequest, upTo position: Int) -> FilteredCount? {
        guard let filtering = pool.filtering else { return nil }
        let start = request.cursor?.position ?? 0
        func count(_ positions: [Int]) -> Int { positions.count(below: position) - positions.count(below: start) }
        return FilteredCount(
            looked: position - start,
            kept: count(filtering.kept),
            undated: count(filtering.undated)
        )
    }

    /// Whether the source lists the newest hits first and all further hits are too old.
    private func hasPassedFilter(_ index: Int, _ page: CachedPage) -> Bool {
        guard let filter, sort == .recency, sources[index].profile.makes(sort),
            let last = page.entries.last(where: { $0.publishedSeconds != nil })
        else { return false }
        return filter.hasPassed(last, of: page.bytes)
    }
}

/// The filter of a merged list, and which of the checked hits it kept.
struct Filtering: Sendable {
    let filter: HitFilter
    private(set) var looked = 0
    /// Positions among all checked hits.
    private(set) var kept: [Int] = []
    private(set) var undated: [Int] = []
    var limit = 0

    init(_ filter: HitFilter) {
        self.filter = filter
    }

    var hasLookedEnough: Bool { looked >= limit }

    mutating func look(at entry: CachedPage.Entry, of page: CachedPage) -> Bool {
        defer { looked += 1 }
        switch filter.verdict(on: entry, of: page.bytes) {
        case .kept:
            kept.append(looked)
            return true
        case .undated: undated.append(looked)
        case .leftOut: break
        }
        return false
    }
}

extension [Int] {
    /// The numbers must be ascending.
    fileprivate func count(below limit: Int) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < limit { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
