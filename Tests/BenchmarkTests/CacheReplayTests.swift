import Testing

@testable import Benchmark

struct CacheReplayTests {
    @Test(arguments: CachePart.contests(requests: 60_000).map(\.name))
    func `on a small scale too the daemon's cache hits as much more often than LRU as it must`(name: String) throws {
        let contest = try #require(CachePart.contests(requests: 60_000).first { $0.name == name })
        let figures = try CachePart.replay(contest)
        #expect(figures.entriesMax == figures.distinct / 100)
        #expect(figures.ratio >= contest.target, "\(figures)")
        #expect(figures.searchd <= figures.best)
        #expect(figures.best > figures.leastRecentlyUsed)
    }

    @Test func `streams are the same in every run and have their share of one-off keys`() {
        let plan = CachePart.contests(requests: 20_000)[0].plan
        let stream = KeyStream(plan)
        #expect(KeyStream(plan).keys == stream.keys)
        #expect(Set(stream.keys).count == stream.distinct)
        let oneOff = stream.keys.count { $0 >= plan.popularKeys }
        #expect((6_700...7_300).contains(oneOff))
        // The most popular key comes about 1/Σ r^-0.8 of the rest.
        let first = stream.keys.count { $0 == 0 }
        #expect((340...480).contains(first), "\(first)")
    }

    @Test func `LRU and the best possible agree with those counted by hand`() {
        // a b c a b d a: room for two.
        let keys = [0, 1, 2, 0, 1, 3, 0]
        let stream = KeyStream(keys: keys)
        #expect(stream.distinct == 4)
        #expect(CacheReplay.leastRecentlyUsed(stream, entriesMax: 2) == 0)
        #expect(CacheReplay.best(stream, entriesMax: 2) == 3)
        #expect(CacheReplay.leastRecentlyUsed(stream, entriesMax: 3) == 3)
        #expect(CacheReplay.leastRecentlyUsed(stream, entriesMax: 4) == 3)
        #expect(CacheReplay.best(stream, entriesMax: 1) == 2)
    }
}
