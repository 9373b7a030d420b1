import Catalogue
import SearchModel
import TestSupport
import Testing

@testable import Engine

/// What a stream may be told before the other sources of a round have answered.
struct CandidatesTests {
    private struct Plan {
        let sort: Sort
        let profiles: [SourceProfile]
        let offset: Int
        let limit: Int
        /// By source and page.
        let pages: [SourceName: [Page]]
        let failing: Set<SourceName>
    }

    private func randomPlan(_ random: inout SeededGenerator) -> Plan {
        let sort = Sort.allCases.randomElement(using: &random) ?? .relevance
        let profiles = (0..<Int.random(in: 1...4, using: &random)).map { number in
            profile("a.s\(number)", sorts: Bool.random(using: &random) ? [.relevance] : Set(Sort.allCases))
        }
        var pages: [SourceName: [Page]] = [:]
        for profile in profiles {
            let count = Int.random(in: 1...4, using: &random)
            for number in 0..<count {
                // Pages that overlap the one before, some of them short.
                let begin = max(0, number * 10 - Int.random(in: 0...3, using: &random))
                let end = begin + Int.random(in: number + 1 < count ? 8...10 : 0...10, using: &random)
                let hits = (begin..<end).map { place in
                    hit(
                        profile.name.text,
                        place,
                        title: String(UnicodeScalar(UInt8.random(in: 97...122, using: &random))),
                        published: Int64.random(in: 0...50, using: &random)
                    )
                }
                pages[profile.name, default: []].append(Page(hits: hits, isEnd: number + 1 == count))
            }
        }
        return Plan(
            sort: sort,
            profiles: profiles,
            offset: Int.random(in: 0...40, using: &random),
            limit: Int.random(in: 1...40, using: &random),
            pages: pages,
            failing: Set(profiles.map(\.name).filter { _ in Int.random(in: 0..<6, using: &random) == 0 })
        )
    }

    @Test func `whatever comes to stand in a window was a candidate, and of a source alone nothing else`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<400 {
            let plan = randomPlan(&random)
            var request = request(plan.profiles, offset: plan.offset, limit: plan.limit)
            request.sort = plan.sort
            var walk = Walk(request)
            let window = plan.offset..<plan.offset + plan.limit
            var told: Set<String> = []
            // One page of each source at a time, in any order, as answers come.
            while true {
                let needs = walk.needs(upTo: window.upperBound, without: plan.failing)
                if needs.isEmpty { break }
                for need in needs.shuffled(using: &random) {
                    let all = plan.pages[need.source] ?? []
                    let number = need.key.request.page
                    walk.received(cachedPage(number < all.count ? all[number] : Page(isEnd: true), key: need.key))
                    told.formUnion(walk.candidates(of: need.source, in: window).ids)
                }
                walk.merge(upTo: window.upperBound, without: plan.failing)
            }
            let shown = Set(walk.window(from: plan.offset, count: plan.limit).ids)
            #expect(told.isSuperset(of: shown))
            if plan.profiles.count == 1, plan.profiles[0].sorts.contains(plan.sort) { #expect(told == shown) }
        }
    }

    @Test func `of two sources by relevance only hits near enough are told`() {
        var walk = Walk(request([profile("a.one"), profile("b.two")], offset: 4, limit: 4))
        walk.received(cachedPage(page("a.one", 0..<10)))
        // Of the fifth to eighth hits of both, at best the third to eighth of one.
        let told = walk.candidates(of: sourceName("a.one"), in: 4..<8)
        #expect(told.ids == ids("a.one", 2..<8))
    }

    @Test func `a page before its turn has no candidates yet`() {
        var walk = Walk(request(limit: 30))
        walk.received(cachedPage(page("a.one", 10..<20), key: pageKey(page: 1)))
        #expect(walk.candidates(of: sourceName("a.one"), in: 0..<30).isEmpty)
        #expect(walk.candidates(of: sourceName("b.two"), in: 0..<30).isEmpty)
    }
}
