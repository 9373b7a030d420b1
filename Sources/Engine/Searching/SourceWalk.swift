import Catalogue
import EventLoop
import SearchModel
import Upstream

/// One source's part of a merged list: the pages that have arrived, and the pages to request next.
struct SourceWalk: Sendable {
    static let pagesAheadMax = 4
    /// A source counts as ended after this many pages without a new hit, because some sources repeat their last page.
    static let pagesWithoutNewHitsMax = 4
    /// A page may be this much older than the preceding page, because responses arrive one by one.
    static let olderMax = Duration.seconds(10)
    static let titlePagesMin = 4

    enum Bound: Sendable {
        /// The next hits are at this position or later.
        case from(MergeOrder)
        /// Estimated from the source's first hits and the next rank.
        case expected
        /// Unknown, because the source does not sort in the requested order.
        case behind
    }

    let profile: SourceProfile
    let options: [Option]
    private(set) var nextPage: Int
    private(set) var waiting: [Int: CachedPage] = [:]
    /// Old pages that are used because newer versions could not be loaded.
    private var lastResorts: Set<Int> = []
    /// Pages before this one are sorted together, because the source cannot sort as requested.
    private var togetherEnd: Int
    /// The first of the pages that are needed only for sorting.
    private let furtherStart: Int
    private(set) var sortedCount: Int?
    private(set) var total: Int?
    private(set) var totalIsEstimate = true
    private(set) var reachable: Int?
    private(set) var isEnd = false
    /// Where the next hits can be; nil before the first page.
    var bound: Bound?
    private(set) var hasFigures = false
    private var barrenPages = 0
    private var newestFetch: Instant?

    /// The first `windowPages` pages have the requested hits; at least `togetherPages` pages are sorted together.
    init(profile: SourceProfile, options: [Option], firstPage: Int, windowPages: Int = 1, togetherPages: Int = 1) {
        self.profile = profile
        self.options = options
        nextPage = firstPage
        furtherStart = firstPage + windowPages
        togetherEnd = firstPage + max(windowPages, togetherPages)
    }

    /// The waiting pages from `nextPage` to the first missing page.
    private var available: [CachedPage] {
        Array((nextPage...).lazy.map { [waiting] in waiting[$0] }.prefix { $0 != nil }.compactMap(\.self))
    }

    /// Returns one page while the number of hits is unknown, because more calls could be useless.
    func pagesNeeded(for missing: Int) -> [Int] {
        let available = available
        guard !isEnd, !available.contains(where: \.isEnd) else { return [] }
        let together = max(1, togetherEnd - nextPage)
        var wanted = max(together, (missing + profile.pageSize - 1) / profile.pageSize)
        if let known = [total, reachable].compactMap({ $0 }).min() {
            let last = max(nextPage, (known - 1) / profile.pageSize)
            wanted = min(wanted, last - nextPage + 1)
        } else {
            wanted = min(together, available.count + 1)
        }
        let pages = nextPage..<nextPage + wanted
        return Array(pages.lazy.filter { waiting[$0] == nil }.prefix(Self.pagesAheadMax))
    }

    mutating func received(_ page: CachedPage, isLastResort: Bool = false) {
        let number = page.key.request.page
        guard number >= nextPage, waiting[number] == nil else { return }
        if !hasFigures {
            hasFigures = true
            total = page.total
            totalIsEstimate = page.totalIsEstimate
            reachable = page.reachable
            // Some sources report no total, or less than they send.
            let known = page.entries.isEmpty ? 0 : number * profile.pageSize + page.entries.count
            if total.map({ $0 < known }) ?? page.isEnd { (total, totalIsEstimate) = (known, true) }
        }
        waiting[number] = page
        if isLastResort { lastResorts.insert(number) }
        dropOldPages()
    }

    /// Removes pages that are more than `olderMax` older than a preceding page; they are requested again.
    private mutating func dropOldPages() {
        var newest = newestFetch
        for (number, page) in zip(nextPage..., available) {
            if let newest, page.fetchedAt < newest.advanced(by: .zero - Self.olderMax), !lastResorts.contains(number) {
                waiting[number] = nil
            } else {
                newest = max(newest ?? page.fetchedAt, page.fetchedAt)
            }
        }
    }

    /// The next pages must not be older than this; otherwise, a hit that moved between two pages could be missing.
    var notBefore: Instant? {
        ([newestFetch] + available.map(\.fetchedAt)).compactMap(\.self).max()?.advanced(by: .zero - Self.olderMax)
    }

    var nextRank: Int { nextPage * profile.pageSize + 1 }

    var hasNextPage: Bool { waiting[nextPage] != nil }

    var isReady: Bool { hasNextPage && pagesNeeded(for: 1).isEmpty }

    func isFurther(_ page: Int) -> Bool { (furtherStart..<max(furtherStart, togetherEnd)).contains(page) }

    /// Excludes this page and later pages from the pages that are sorted together.
    mutating func sortWithout(_ page: Int) { togetherEnd = min(togetherEnd, page) }

    /// Takes the next page, and the arrived pages that are sorted together with it.
    mutating func takeNextPages() -> [CachedPage] {
        var pages: [CachedPage] = []
        repeat {
            guard let page = waiting.removeValue(forKey: nextPage) else { break }
            pages.append(page)
            newestFetch = max(newestFetch ?? page.fetchedAt, page.fetchedAt)
            nextPage += 1
            if page.isEnd { end() }
        } while nextPage < togetherEnd
        togetherEnd = nextPage
        if sortedCount == nil { sortedCount = pages.reduce(0) { $0 + $1.entries.count } }
        dropOldPages()
        return pages
    }

    mutating func merged(anythingNew: Bool) {
        barrenPages = anythingNew ? 0 : barrenPages + 1
        if barrenPages >= Self.pagesWithoutNewHitsMax { end() }
    }

    mutating func end() {
        isEnd = true
        waiting = [:]
    }
}
