import Catalogue
import EventLoop
import SearchModel
import Upstream

/// One source's part of a walk: the available pages, and the next ones.
///
/// Pure.
struct SourceWalk: Sendable {
    /// How many pages of one source a search asks for at a time.
    static let pagesAheadMax = 4
    /// After this many pages in a row without a new hit, a source is at its end: some sources repeat their last page
    /// forever.
    static let barrenPagesMax = 4
    /// How much older a page may be than one before it: pages requested together arrive at different times.
    static let olderMax = Duration.seconds(10)
    /// The minimum number of pages that are sorted together in a list by title, if the source does not sort by title.
    static let titlePagesMin = 4

    /// The possible positions of hits that have not arrived.
    enum Bound: Sendable {
        /// Not before this position.
        case from(MergeOrder)
        /// By relevance: estimated from the source's first hits and the next rank.
        case expected
        /// Anywhere: the source does not sort in the requested order. Its first pages are sorted together, and each
        /// later page follows all hits before it.
        case behind
    }

    let profile: SourceProfile
    let options: [Option]
    /// The next page to merge.
    private(set) var nextPage: Int
    /// Pages that arrived early.
    private(set) var waiting: [Int: CachedPage] = [:]
    /// The waiting pages that are used although they are old, because newer ones could not be loaded.
    private var lastResorts: Set<Int> = []
    /// The first pages up to this one are merged together.
    private var togetherEnd: Int
    /// The pages from this one up to `togetherEnd` are not needed for the window.
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
    /// Before the number of hits is known, only one page is requested, since more calls might be wasted.
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

    /// Records a page; ignores an earlier page, or another version of a known page.
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

    /// Drops pages that are much older than an earlier page; they are requested again.
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

    /// The earliest time at which the next pages may have been fetched.
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

    /// Whether the next page is available, and all pages that are merged with it.
    var isReady: Bool { hasNextPage && pagesNeeded(for: 1).isEmpty }

    /// Whether a page is only for sorting more hits together than the window needs.
    func isFurther(_ page: Int) -> Bool { (furtherStart..<max(furtherStart, togetherEnd)).contains(page) }

    /// Ends the part that is sorted together before this page, because the page can't be loaded.
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
        if barrenPages >= Self.barrenPagesMax { end() }
    }

    /// Marks the source as ended: no more hits are needed or available.
    mutating func end() {
        isEnd = true
        waiting = [:]
    }
}
