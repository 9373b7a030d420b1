import EventLoop
import Upstream

/// A search that has begun: its walk, and what it has seen so far.
///
/// `@unchecked Sendable`: only the federation uses it, on its loop; what holds it meanwhile hands it back unread.
package final class OngoingSearch: @unchecked Sendable {
    let open: OpenWalk
    var run: SearchRun
    /// The pages that were found in memory, until they are used.
    var cached: [(need: PageNeed, page: LoadedPage)] = []

    init(_ run: SearchRun, _ open: OpenWalk) {
        self.run = run
        self.open = open
    }

    var request: SearchRequest { run.request }

    func note(_ outcome: PageOutcome, of key: PageKey, at instant: Instant) {
        switch outcome {
        case .loaded(let page): received(page, at: instant)
        case .failed(let error):
            run.missed(key)
            run.failed(key.source, error, at: instant)
        case .skipped(let skip):
            run.missed(key)
            run.skipped(key.source, skip, at: instant)
        }
    }

    func received(_ page: LoadedPage, at instant: Instant) {
        run.received(page, at: instant)
        open.walk.received(page.page)
    }
}
