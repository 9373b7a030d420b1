import Catalogue
import EventLoop
import SearchModel
import Upstream

/// One source's part of a walk: which of its pages are here, and which come next.
///
/// Pure.
struct SourceWalk: Sendable {
    /// How many pages of one source a search asks for at a time.
    static let pagesAheadMax = 4
    /// After so many pages in a row without a new hit a source is at its end: some repeat their last page for ever.
    static let barrenPagesMax = 4
    /// How much older a page may be than one before it: pages requested together arrive at different times.
    static let olderMax = Duration.seconds(10)

    /// The possible positions of hits that have not come.
    enum Bound: Sendable {
        /// Nowhere before this.
        case from(MergeOrder)
        /// By relevance: as good as the source's first hits and the next rank suggest.
        case expected
        /// Anywhere, since the source does not make the order asked for: its hits are put in order a page at a time,
        /// and the next page's come after everything that waits.
        case behind
    }

    let profile: SourceProfile
    let options: [Option]
    /// The page that is merged next.
    private(set) var nextPage: Int
    /// Pages that came before their turn.
    private(set) var waiting: [Int: CachedPage] = [:]
    /// The figures of the first page seen; they never change along a walk.
    private(set) var total: Int?
    private(set) var totalIsEstimate = true
    private(set) var reachable: Int?
    private(set) var isEnd = false
    /// The possible positions of its next hits; nil until a page is taken.
    var bound: Bound?
    private(set) var hasFigures = false
    private var barrenPages = 0
    /// When the newest page that has been merged was fetched.
    private var newestFetch: Instant?

    init(profile: SourceProfile, options: [Option], firstPage: Int) {
        self.profile = profile
        self.options = options
        nextPage = firstPage
    }

    /// The pages to ask for so that about `missing` more hits come; none when they wait already or the end is reached.
    ///
    /// Until a page tells the number of hits, only one page is requested: more might cost calls for nothing.
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

    /// Records a page; an earlier page, or another version of one that is here, is ignored.
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
    /// What is new at a source pushes the rest back: a hit that has moved from its old first page to its new second one
    /// stands on neither the new first page nor the old second one.
    var notBefore: Instant? { newestFetch?.advanced(by: .zero - Self.olderMax) }

    /// The rank of the next page's first hit in the source's own list.
    var nextRank: Int { nextPage * profile.pageSize + 1 }

    /// The next page, when it is here.
    var hasNextPage: Bool { waiting[nextPage] != nil }

    /// Takes the next page; nil when it is not here.
    mutating func takeNextPage() -> CachedPage? {
        guard let page = waiting.removeValue(forKey: nextPage) else { return nil }
        newestFetch = max(newestFetch ?? page.fetchedAt, page.fetchedAt)
        nextPage += 1
        if page.isEnd { end() }
        // Pages that came before their turn and have become too old are requested again.
        if let notBefore { waiting = waiting.filter { $0.value.fetchedAt >= notBefore } }
        return page
    }

    /// Records whether the page taken last had any new hit.
    mutating func merged(anythingNew: Bool) {
        barrenPages = anythingNew ? 0 : barrenPages + 1
        if barrenPages >= Self.barrenPagesMax { end() }
    }

    /// Nothing more is wanted of it, or it has no more.
    mutating func end() {
        isEnd = true
        waiting = [:]
    }
}
