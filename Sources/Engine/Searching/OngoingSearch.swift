/// A search that has begun: its walk, and what it has seen so far.
///
/// Unchecked: whoever began it only hands it back to the federation, which uses it on its loop alone.
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
}
