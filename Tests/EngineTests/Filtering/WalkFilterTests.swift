import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

/// Checks that a filter only removes hits from a list.
struct WalkFilterTests {
    private func whole(_ sources: MirroredSources, _ sort: Sort, _ filter: HitFilter?, step: () -> Int) -> [String] {
        var request = request(sources.profiles, limit: 1000)
        request.sort = sort
        request.filter = filter
        var walk = Walk(request, now: 0)
        walk.look(upTo: .max)
        while true {
            let position = walk.end + step()
            walk.merge(upTo: position, without: [])
            let needs = walk.needs(upTo: position, without: [])
            if needs.isEmpty, walk.end < position { return walk.merged.map(\.entry.id) }
            for need in needs { walk.received(cachedPage(sources.page(need.key), key: need.key)) }
        }
    }

    @Test(arguments: Sort.allCases)
    func `a filtered search returns the matching hits of the unfiltered list`(sort: Sort) throws {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<50 {
            let sources = MirroredSources(sort: sort, &random)
            var filter = HitFilter()
            filter.site = Site("www.things.example")
            if Bool.random(using: &random) {
                filter.since = DateBound("1970-01-01T00:00:\(Int.random(in: 10...59, using: &random))Z")
            }
            let all = whole(sources, sort, nil) { 10 }
            let kept = all.filter { id in
                let thing = id.split(separator: ":").last.flatMap { Int64($0) } ?? -1
                return thing.isMultiple(of: 2) && thing >= filter.since?.begin ?? 0
            }
            #expect(whole(sources, sort, filter) { Int.random(in: 1...20, using: &random) } == kept)
        }
    }
}
