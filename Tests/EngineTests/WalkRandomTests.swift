import Catalogue
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Checks merged lists of random sources, whose pages arrive in random order.
struct WalkRandomTests {
    private func walk(_ sources: MirroredSources, _ sort: Sort) -> Walk {
        var request = request(sources.profiles, limit: 1000)
        request.sort = sort
        return Walk(request, now: 0)
    }

    private func advance(
        _ walk: inout Walk,
        to position: Int,
        _ sources: MirroredSources,
        _ random: inout SeededGenerator
    ) {
        while true {
            walk.merge(upTo: position, without: [])
            let needs = walk.needs(upTo: position, without: [])
            if needs.isEmpty { return }
            for need in needs.shuffled(using: &random) {
                walk.received(cachedPage(sources.page(need.key), key: need.key))
                if Bool.random(using: &random) { walk.merge(upTo: position, without: []) }
            }
            if Int.random(in: 0..<3, using: &random) == 0, let need = walk.needs(upTo: 1000, without: []).first {
                walk.received(cachedPage(sources.page(need.key), key: need.key))
            }
        }
    }

    @Test(arguments: Sort.allCases)
    func `the list does not depend on the order in which pages arrive, and has every item once`(sort: Sort) {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<50 {
            let sources = MirroredSources(sort: sort, &random)
            var whole = walk(sources, sort)
            advance(&whole, to: 1000, sources, &random)
            var pieces = walk(sources, sort)
            for _ in 0..<20 {
                let before = pieces.merged.ids
                advance(&pieces, to: pieces.end + Int.random(in: 1...15, using: &random), sources, &random)
                #expect(pieces.merged.ids.starts(with: before))
            }
            let count = pieces.merged.count
            #expect(whole.merged.ids.prefix(count) == pieces.merged.ids[...])
            let things = whole.merged.map(MirroredSources.thing)
            #expect(Set(things).count == things.count)
            #expect(Set(things) == Set(sources.lists.values.flatMap(\.self)))
            #expect(!whole.mayGrow(without: []))
            for place in whole.merged {
                let named = [place.source] + place.alsoFrom
                let having = sources.profiles.map(\.name).filter {
                    sources.lists[$0]?.contains(MirroredSources.thing(place)) ?? false
                }
                #expect(Set(named) == Set(having) && named.count == having.count)
                #expect(place.alsoFrom == having.filter { $0 != place.source })
            }
        }
    }

    @Test(arguments: [Sort.recency, .title])
    func `if all sources support the order, the merged list is completely ordered`(sort: Sort) {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<60 {
            let sources = MirroredSources(sort: sort, &random)
            guard sources.profiles.allSatisfy({ $0.makes(sort) }) else { continue }
            var walk = walk(sources, sort)
            advance(&walk, to: 1000, sources, &random)
            let things = walk.merged.map(MirroredSources.thing)
            #expect(things == (sort == .recency ? things.sorted(by: >) : things.sorted()))
        }
    }

    @Test func `if no hits are duplicates, a list by relevance is ordered by the rank of a hit in its source`() {
        let profiles = [
            profile("a.one", pageSize: 10), profile("b.two", pageSize: 25), profile("c.three", pageSize: 4),
        ]
        var walk = Walk(request(profiles, limit: 300), now: 0)
        var calls = 0
        while true {
            walk.merge(upTo: 300, without: [])
            let needs = walk.needs(upTo: 300, without: [])
            if needs.isEmpty { break }
            for need in needs {
                calls += 1
                let size = profiles.first { $0.name == need.source }?.pageSize ?? 1
                let first = need.key.request.page * size
                walk.received(cachedPage(page(need.source.text, first..<first + size, total: 1000), key: need.key))
            }
        }
        let expected = (0..<100).flatMap { number in profiles.map { "\($0.name):\(number)" } }
        #expect(walk.merged.ids == expected)
        // A hundred hits of each source need this many pages.
        #expect(calls == 10 + 4 + 25)
    }
}
