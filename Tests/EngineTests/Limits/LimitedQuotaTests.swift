import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Engine

/// Quotas before calls.
struct LimitedQuotaTests {
    private static let twoADay = "quotas: [{ name: \"a-day\", limit: 2, per: \"day\" }],"

    @Test func `a quota that is used up is told with its end, and nothing more is sent`() throws {
        let (error, sent) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            var last: SearchError?
            for number in 0..<5 { last = await world.fetch(page: number).error }
            return (last, world.fetcher.calls.sent.count)
        }
        #expect(sent == 2)
        #expect(error?.kind == .quotaExhausted)
        #expect(error?.resetsAt == "2024-03-10T00:00:00Z")
        #expect(error?.source == sourceName("a.one"))
        #expect(try #require(error?.retryAfter) > .seconds(86_000))
    }

    @Test func `who has the time waits for the next period`() throws {
        let (outcome, end) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            try await world.sleep(.seconds(86_395))
            for number in 0..<2 { _ = await world.fetch(page: number) }
            let outcome = await world.fetch(page: 2)
            return (outcome, loop.now)
        }
        #expect(outcome.error == nil)
        #expect(end >= at(.seconds(86_400)))
        #expect(end < at(.seconds(86_401)))
    }

    @Test func `no call is begun before its unit is written off`() throws {
        let (early, late) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            world.store.set(delay: .milliseconds(300))
            let call = world.run { await world.fetch() }
            try await world.sleep(.milliseconds(299))
            let early = world.fetcher.calls.begun.count
            _ = await call.value
            return (early, world.fetcher.calls.begun.count)
        }
        #expect(early == 0)
        #expect(late == 1)
    }

    @Test func `a ledger that can't be written lets no call go, and calls go when it can be again`() throws {
        let (error, begun, later) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            world.store.set(isFull: true)
            let error = await world.fetch().error
            let begun = world.fetcher.calls.begun.count
            world.store.set()
            return (error, begun, await world.fetch().error)
        }
        #expect(error?.kind == .unavailable)
        #expect(error?.hint?.contains("state directory") == true)
        #expect(begun == 0)
        #expect(later == nil)
    }

    @Test func `two sources of one account use its quota together`() throws {
        let sent = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"a-day\", limit: 30, per: \"day\" }],",
                sources: ["a.one": "", "a.two": ""]
            )
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<80 {
                    group.addTask { _ = await world.fetch(number % 2 == 0 ? "a.one" : "a.two", page: number) }
                }
            }
            return world.fetcher.calls.sent.count
        }
        #expect(sent == 30)
    }

    @Test func `a quota of a minute holds in any minute`() throws {
        let sent = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"minute\", limit: 20, per: \"minute\" }],"
            )
            let sent = Locked<[Instant]>([])
            try await world.sleep(.seconds(50))
            for number in 0..<60 {
                _ = await world.fetch(page: number, world.demand(within: .seconds(100))) { event in
                    if event == .sent { sent.withLock { $0.append(world.loop.now) } }
                }
            }
            return sent.withLock { $0 }
        }
        #expect(sent.count == 60)
        #expect(zip(sent, sent.dropFirst(20)).allSatisfy { $0.duration(to: $1) >= .seconds(60) })
    }

    @Test func `background work does not take the last tenth`() throws {
        let (background, interactive) = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"a-day\", limit: 20, per: \"day\" }],"
            )
            var kinds: [SearchError.Kind?] = []
            for number in 0..<284 {
                try await world.sleep(.seconds(300))
                kinds.append(await world.fetch(page: number, world.demand(.background)).error?.kind)
            }
            return (kinds, await world.fetch(page: 1000).error)
        }
        #expect(background.count { $0 == nil } == 18)
        #expect(background.allSatisfy { $0 == nil || $0 == .rateLimited || $0 == .quotaExhausted })
        #expect(interactive == nil)
    }

    @Test func `what was leased and not used is given back at the end`() throws {
        let used = try virtually { loop, _ in
            let quota = "quotas: [{ name: \"a-day\", limit: 1024, per: \"day\" }],"
            let world = try await LimitedWorld(on: loop, account: quota)
            for number in 0..<5 { _ = await world.fetch(page: number) }
            await world.limiter.drain()
            let again = RateLimiter(
                on: loop,
                store: world.store,
                quotaTime: { QuotaTime(steady: 100, wall: LimitedWorld.wall + 100) }
            )
            await again.configure(try LimitedWorld.sources(quota, ["a.one": ""]))
            await again.drain()
            return await again.standings()[sourceName("a.one")]?.quotas.first
        }
        #expect(used?.used == 5)
        #expect(used?.left == 1019)
    }
}
