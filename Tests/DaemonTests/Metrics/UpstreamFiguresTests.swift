import SearchModel
import SearchTestSupport
import Testing

@testable import Daemon

struct UpstreamFiguresTests {
    @Test func `a reload forgets that the machine was offline, and refusals of keys that have changed`() {
        let figures = UpstreamFigures()
        var offline = SearchError(.unavailable, "This machine is offline.")
        offline.isOffline = true
        let refusal = SearchError(.unauthorized, "a.b answered 401")
        let (old, new) = (sourceName("a.b"), sourceName("c.d"))
        for source in [old, new] {
            figures.record(source, refusal, status: 401, after: .zero, at: 1)
            figures.record(source, offline, status: nil, after: .zero, at: 2)
        }
        figures.reloaded { $0 == new }
        #expect(figures.bySource.values.map(\.offlineAt) == [0, 0])
        #expect(figures.bySource[old]?.health.failure != nil)
        #expect(figures.bySource[new]?.health.failure == nil)
    }
}
