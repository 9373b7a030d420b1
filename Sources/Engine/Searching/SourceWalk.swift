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

    /// The possible positions of hits that have not arrived.
    enum Bound: Sendable {
        /// Not before this position.
        case from(MergeOrder)
        /// By relevance: estimated from the source's first hits and the next rank.
        case expected
        /// Anywhere: the source does not sort in the requested order. Its hits are sorted page by page, and the next
        /// page follows all waiting hits.
        case behind
    }

    let profile: SourceProfile
    let options: [Option]
    /// The next page to merge.
    private(set) var nextPage: Int
    /// Pages that arrived early.
    private(set) var waiting: [Int: CachedPage] = [:]
    /// The figures of the first page seen; they never change along a walk.
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

    init(profile: SourceProfile, options: [Option], firstPage: Int) {
        self.profile = profile
        self.options = options
        nextPage = firstPage
    }

    /// The pages to request for about `missing` more hits; empty if they are available or the source is at its end.
    ///
    /// Before the number of hits is known, only one page is requested, since more calls might be wasted.
    func pagesNeeded(for missing: Int) -> [Int] {
        guard !isEnd else { return [] }
        var wanted = max(1, (missing + profile.pageSize - 1) / profile.pageSize)
        if let known = [total, reachable].compactMap({ $0 }).min() {
            let last = max(nextPage, (known - 1) / profile.pageSize)
            wanted = min(wanted, last - nextPage + 1)
        } else {
            wanted = 1
        }
        let pages = nextPage..<nextPage + wanted
        return Array(pages.lazy.filter { waiting[$0] == nil }.prefix(Self.pagesAheadMax))
    }

    /// Records a page; ignores an earlier page, or another version of a known page.
    mutating func received(_ page: CachedPage) {
        let number = page.key.request.page
        guard number >= nextPage, waiting[number] == nil else { return }
        if !hasFigures {
            hasFigures = true
            total = page.total
            totalIsEstimate = page.totalIsEstimate
            reachable = page.reachable
        }
        waiting[number] = page
    }

    /// When the next pages must have been fetched at the earliest.
    ///
    /// New hits at a source push the others back. A hit that moved from the old first page to the new second page is
    /// missing from both the new first page and the old second page.
    var notBefore: Instant? { newestFetch?.advanced(by: .zero - Self.olderMax) }

    /// The rank of the next page's first hit in the source's own list.
    var nextRank: Int { nextPage * profile.pageSize + 1 }

    /// The next page, if available.
    var hasNextPage: Bool { waiting[nextPage] != nil }

    /// Removes and returns the next page; nil if it is not available.
    mutating func takeNextPage() -> CachedPage? {
        guard let page = waiting.removeValue(forKey: nextPage) else { return nil }
        newestFetch = max(newestFetch ?? page.fetchedAt, page.fetchedAt)
        nextPage += 1
        if page.isEnd { end() }
        // Early pages that have become too old are requested again.
        if let notBefore { waiting = waiting.filter { $0.value.fetchedAt >= notBefore } }
        return page
    }

    /// Records whether the last page had any new hit.
    mutating func merged(anythingNew: Bool) {
        barrenPages = anythingNew ? 0 : barrenPages + 1
        if barrenPages >= Self.barrenPagesMax { end() }
    }

    /// No more hits are needed or available.
    mutating func end() {
        isEnd = true
        waiting = [:]
    }
}
