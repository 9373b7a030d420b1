import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

/// A walk is a list of hits that a cursor continues; the table keeps the walks.
struct WalkTableTests {
    private func openWalk(hits: Int = 1) -> OpenWalk {
        var walk = Walk(request(limit: 1000), now: 0)
        walk.received(cachedPage(page("a.one", 0..<hits)))
        walk.merge(upTo: 1000, without: [])
        return OpenWalk(walk)
    }

    private func bytes(of open: OpenWalk) -> Int {
        open.walk.pages.reduce(open.walk.pool.bytes) { $0 + $1.bytesUsed }
    }

    @Test func `above the maximum number of walks, the least recently used walk is evicted`() {
        var table = WalkTable(walksMax: 3, bytesMax: 1_000_000)
        let walks = (0..<4).map { _ in openWalk() }
        for id in 0..<3 { table.keep(walks[id], as: UInt64(id)) }
        #expect(table.count == 3)
        _ = table.walk(0)
        table.keep(walks[3], as: 3)
        let kept = (0..<4).map { table.walk($0) != nil }
        #expect(kept == [true, false, true, true])
        #expect(walks.map(\.walk.validity.isEnded) == [false, true, false, false])
    }

    @Test func `above the maximum size, any walk except the latest may be evicted`() {
        let walks = (0..<4).map { _ in openWalk(hits: 10) }
        let sizes = walks.map(bytes)
        var table = WalkTable(walksMax: 100, bytesMax: sizes[0] * 7 / 2)
        for id in 0..<3 { table.keep(walks[id], as: UInt64(id)) }
        #expect(table.count == 3 && table.bytes == sizes[0] + sizes[1] + sizes[2])
        table.keep(walks[3], as: 3)
        #expect(table.count == 3 && table.bytes == sizes[1] + sizes[2] + sizes[3])
        #expect(walks[0].walk.validity.isEnded)
        let large = openWalk(hits: 100)
        table.keep(large, as: 4)
        #expect(table.count == 1 && table.bytes == bytes(of: large))
        #expect(!large.walk.validity.isEnded)
    }

    @Test func `the size of a walk is updated when it grows`() {
        var table = WalkTable(walksMax: 10, bytesMax: 1_000_000)
        let open = openWalk(hits: 10)
        table.keep(open, as: 1)
        open.walk.received(cachedPage(page("a.one", 10..<20), key: pageKey(page: 1)))
        table.keep(open, as: 1)
        #expect(table.count == 1 && table.bytes == bytes(of: open))
    }
}
