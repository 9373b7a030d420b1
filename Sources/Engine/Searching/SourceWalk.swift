import Catalogue
import EventLoop
import SearchModel
import Upstream

/// One source's part of a walk: the pages that have arrived, and the pages to request next.
///
/// It has no side effects.
struct SourceWalk: Sendable {
    /// The maximum number of pages of one source that a search requests at the same time.
    static let pagesAheadMax = 4
    /// After this many pages in a row without a new hit, a source is at its end.
    ///
    /// Some sources repeat their last page forever.
    static let pagesWithoutNewHitsMax = 4
    /// How much older a page may be than the pages before it; pages requested together arrive at different times.
    static let olderMax = Duration.seconds(10)
    /// The minimum number of pages that are sorted together in a list by title, if the source does not sort by title.
    static let titlePagesMin = 4

    /// The possible positions of hits that have not arrived.
    enum Bound: Sendable {
        /// At this position or after it.
        case from(MergeOrder)
        /// In a list by relevance: estimated from the source's first hits and the next rank.
        case expected
        /// Unknown, because the source does not sort in the requested order. Its first pages are sorted together. Each
        /// later page follows all hits before it.
        case behind
    }

    let profile: SourceProfile
    let options: [Option]
    /// The next page to merge.
    private(set) var nextPage: Int
    /// Pages that arrived early.
    private(set) var waiting: [Int: CachedPage] = [:]
    /// The waiting pages that are used although they are old, because newer versions could not be loaded.
    private var lastResorts: Set<Int> = []
    /// The pages before this one that are not merged yet are merged together.
    private var togetherEnd: Int
    /// The pages from this one to `togetherEnd` are not needed for the window.
    private let furtherStart: Int
    /// The number of hits that were sorted together; nil before that.
    private(set) var sortedCount: Int?
    /// The totals of the first page that arrived; they never change during a walk.
    private(set) var total: Int?
    private(set) var totalIsEstimate = true
    private(set) var reachable: Int?
    private(set) var isEnd = false
    /// The possible positions of its next hits; nil before the first page.
    var bound: Bound?
    private(set) var hasFigures = false
    private var barrenPages = 0
    /// The latest fetch time of the merged pages.
    private var newestFetch: Instant?

    /// - Parameters:
    ///   - profile: The source.
    ///   - options: The options of its requests.
    ///   - firstPage: The first page of the list.
    ///   - windowPages: How many pages are sorted together for the window.
    ///   - togetherPages: How many pages are sorted together if the source's quota allows it.
    init(profile: SourceProfile, options: [Option], firstPage: Int, windowPages: Int = 1, togetherPages: Int = 1) {
        self.profile = profile
        self.options = options
        nextPage = firstPage
        furtherStart = firstPage + windowPages
        togetherEnd = firstPage + max(windowPages, togetherPages)
    }

    /// The pages from the next one on that have arrived.
    private var available: [CachedPage] {
        Array((nextPage...).lazy.map { [waiting] in waiting[$0] }.prefix { $0 != nil }.compactMap(\.self))
    }

    /// The pages to request for about `missing` more hits; empty if they are available or the source is at its end.
    ///
    /// Before the number of hits is known, only one page is requested, because more calls might be wasted.
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

    /// Records a page; ignores a page that is already merged, and another version of a waiting page.
    ///
    /// `isLastResort` is true if no newer version of the page can be loaded.
    mutating func received(_ page: CachedPage, isLastResort: Bool = false) {
        let number = page.key.request.page
        guard number >= nextPage, waiting[number] == nil else { return }
        if !hasFigures {
            hasFigures = true
            total = page.total
            totalIsEstimate = page.totalIsEstimate
            reachable = page.reachable
        }
        waiting[number] = page
        if isLastResort { lastResorts.insert(number) }
        dropOldPages()
    }

    /// Drops pages that are much older than a page before them; they are requested again.
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

    /// The next pages must not have been fetched before this time.
    ///
    /// New hits move older hits to later pages. If a hit has moved from the first page to the second, it is missing in
    /// the new first page and in the old second page.
    var notBefore: Instant? {
        ([newestFetch] + available.map(\.fetchedAt)).compactMap(\.self).max()?.advanced(by: .zero - Self.olderMax)
    }

    /// The rank of the next page's first hit in the source's own list.
    var nextRank: Int { nextPage * profile.pageSize + 1 }

    /// Whether its next page is available.
    var hasNextPage: Bool { waiting[nextPage] != nil }

    /// Whether the next page and all pages that are merged with it are available.
    var isReady: Bool { hasNextPage && pagesNeeded(for: 1).isEmpty }

    /// Whether a page is only for sorting more hits together than the window needs.
    func isFurther(_ page: Int) -> Bool { (furtherStart..<max(furtherStart, togetherEnd)).contains(page) }

    /// Removes this page and later pages from the part that is sorted together, because the page cannot be loaded.
    mutating func sortWithout(_ page: Int) { togetherEnd = min(togetherEnd, page) }

    /// Removes and returns the next page, with the pages that are merged with it, as far as they are available.
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

    /// Records whether the last page had any new hit.
    mutating func merged(anythingNew: Bool) {
        barrenPages = anythingNew ? 0 : barrenPages + 1
        if barrenPages >= Self.pagesWithoutNewHitsMax { end() }
    }

    /// Marks the source as ended: no more hits are needed or available.
    mutating func end() {
        isEnd = true
        waiting = [:]
    }
}
