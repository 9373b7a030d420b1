import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing
import Upstream

@testable import Engine

/// Sources are skipped if a call would delay the search or would be useless.
struct SkippedSourceTests {
    /// The latency of each account, in milliseconds.
    private static let latencies = ["wikipedia": 150, "itunes": 320, "hackernews": 210, "openlibrary": 700]

    private static func answer(_ key: PageKey) -> ScriptedFetcher.Answer {
        let source = key.source
        return .page(
            page(source.text, 0..<30, total: 30, isEnd: true),
            after: .milliseconds(latencies[source.account] ?? 100)
        )
    }

    @Test(arguments: [(10, 3000), (10, 500), (30, 0)])
    func `rate limits do not make a search much slower than its slowest source`(count: Int, pause: Int) throws {
        try virtually { loop, _ in
            let world = await LimitedSearches(on: loop) { key, _ in Self.answer(key) }
            for number in 0..<count {
                let (answer, elapsed) = try await world.search(world.request("query number \(number)"))
                let asked = answer.sources.filter { $0.status == .ok }
                #expect(!asked.isEmpty && answer.isComplete)
                let slowest = asked.map { Self.latencies[$0.source.account] ?? 0 }.max() ?? 0
                #expect(elapsed <= .milliseconds(slowest) * 1.2, "\(number): \(elapsed) of \(slowest) ms")
                for skipped in answer.sources where skipped.status == .skipped {
                    #expect(skipped.reason == .rateLimit && skipped.retryAfter ?? .zero > .zero)
                    #expect(skipped.error == nil)
                }
                if pause >= 3000 { #expect(asked.count == 4, "\(number)") }
                try await world.sleep(.milliseconds(pause))
            }
        }
    }

    @Test func `if the query is too short for a source, the source is skipped and the answer is cached`() throws {
        try virtually { loop, _ in
            let world = await LimitedSearches(on: loop) { key, _ in Self.answer(key) }
            let short = try world.request("책")
            let answer = try await world.search(short).answer
            #expect(answer.report("openlibrary.books")?.reason == .tooShort)
            #expect(answer.isComplete)
            let search = try await world.federation.begin(short)
            let again = try #require(try await world.federation.cachedAnswer(of: search))
            #expect(again.isFromCache && again.hits.ids == answer.hits.ids)
            var alone = try world.request("책", ["openlibrary.books"])
            #expect(try await world.search(alone).answer.report("openlibrary.books")?.status == .ok)
            alone.named = []
            alone.maxAge = .zero
            #expect(await world.failure(alone)?.kind == .invalidParams)
        }
    }

    @Test func `while the user types, a source that must not be called for partial queries is skipped`() throws {
        try virtually { loop, _ in
            let world = await LimitedSearches(on: loop) { key, _ in Self.answer(key) }
            var request = try world.request("고양이", ["mwmbl.web", "wikipedia.ko"])
            request.isTyping = true
            let answer = try await world.search(request).answer
            #expect(answer.report("mwmbl.web")?.reason == .typing && answer.report("wikipedia.ko")?.status == .ok)
            request.isTyping = false
            #expect(try await world.search(request).answer.report("mwmbl.web")?.status == .ok)
            request.isTyping = true
            #expect(try await world.search(request).answer.report("mwmbl.web")?.status == .ok)
        }
    }

    @Test func `a source that fails repeatedly is skipped, and called again later`() throws {
        try virtually { loop, _ in
            let isDown = Locked(true)
            let world = await LimitedSearches(on: loop) { key, _ in
                guard key.source.account == "hackernews", isDown.withLock({ $0 }) else { return Self.answer(key) }
                return .failure(.unavailable)
            }
            var reasons: [SkipReason?] = []
            for number in 0..<8 {
                let answer = try await world.search(world.request("query \(number)")).answer
                reasons.append(answer.report("hackernews.stories")?.reason)
                let retryAfter = answer.report("hackernews.stories")?.retryAfter ?? .zero
                if reasons.last == .suspended { #expect(retryAfter > .zero && retryAfter <= .seconds(2)) }
            }
            #expect(reasons.first == .some(nil) && reasons.contains(.suspended))
            isDown.withLock { $0 = false }
            try await world.sleep(.seconds(10))
            let healed = try await world.search(world.request("healed")).answer
            #expect(healed.report("hackernews.stories")?.status == .ok)
        }
    }

    @Test func `if all sources are skipped, the search makes no call, and fails with retryAfter`() throws {
        try virtually { loop, _ in
            let world = await LimitedSearches(on: loop) { _, _ in .failure(.unavailable) }
            for number in 0..<10 { _ = await world.failure(try world.request("query \(number)")) }
            let calls = world.fetcher.calls.sent.count
            let error = try #require(await world.failure(try world.request("another")))
            #expect(world.fetcher.calls.sent.count == calls)
            #expect(error.kind == .unavailable && error.retryable == true)
            #expect(error.retryAfter ?? .zero > .zero)
        }
    }

    @Test func `all hits of a skipped source are on later pages, without duplicates`() throws {
        try virtually { loop, _ in
            let world = await LimitedSearches(on: loop) { key, _ in Self.answer(key) }
            // Open Library allows one call per second.
            _ = try await world.search(world.request("other", ["openlibrary"]))
            var request = try world.request("paged")
            request.limit = 12
            var (ids, reasons): ([String], [SkipReason?]) = ([], [])
            for _ in 0..<50 {
                let answer = try await world.search(request).answer
                ids += answer.hits.ids
                reasons.append(answer.report("openlibrary.books")?.reason)
                guard let next = answer.next else { break }
                request.cursor = next
                try await world.sleep(.milliseconds(400))
            }
            #expect(reasons.first == .rateLimit && reasons.last == .some(nil))
            #expect(Set(ids).count == ids.count && ids.count == 120)
        }
    }
}

extension LimitedSearches {
    fileprivate func failure(_ request: @autoclosure () throws -> SearchRequest) async -> SearchError? {
        do {
            _ = try await search(request())
            return nil
        } catch {
            return error as? SearchError
        }
    }
}
