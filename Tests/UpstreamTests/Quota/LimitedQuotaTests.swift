import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct LimitedQuotaTests {
    private static let twoADay = "quotas: [{ name: \"a-day\", limit: 2, per: \"day\" }],"

    @Test func `if a quota is used up, no calls are sent, and the error has the reset time`() throws {
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

    @Test func `a caller with a late deadline waits for the next period`() throws {
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

    @Test func `no call is sent before it is charged`() throws {
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

    @Test func `while the ledger is not writable, no call is sent`() throws {
        let (error, begun, later) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            world.store.set(isFull: true)
            let error = await world.fetch().error
            let begun = world.fetcher.calls.begun.count
            world.store.set()
            return (error, begun, await world.fetch().error)
        }
        #expect(error?.kind == .unavailable)
        #expect(error?.hint == ScriptedQuotaStore.full.hint)
        #expect(begun == 0)
        #expect(later == nil)
    }

    @Test func `two sources of one account share its quota`() throws {
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

    @Test func `a quota per minute is not exceeded in any 60 seconds`() throws {
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

    @Test func `background calls leave the last tenth of a quota unused`() throws {
        let (background, interactive) = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"a-day\", limit: 20, per: \"day\" }],"
            )
            var kinds: [SearchError.Kind?] = []
            for number in 0..<30 {
                kinds.append(await world.fetch(page: number, world.demand(.background)).error?.kind)
            }
            return (kinds, await world.fetch(page: 1000).error)
        }
        #expect(background.count { $0 == nil } == 18)
        #expect(background.allSatisfy { $0 == nil || $0 == .quotaExhausted })
        #expect(interactive == nil)
    }

    @Test func `each of two users can use half of a daily quota, and the hint says how long this applies`() throws {
        let (first, error, second) = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"a-day\", limit: 100, per: \"day\" }],"
            )
            _ = await world.fetch(page: 1000, world.demand(for: 2))
            var (sent, last) = (0, SearchError?.none)
            for number in 0..<150 {
                let error = await world.fetch(page: number, world.demand(for: 1)).error
                if error == nil { sent += 1 } else { last = error }
            }
            return (sent, last, await world.fetch(page: 2000, world.demand(for: 2)).error)
        }
        #expect(first == 50)
        #expect(error?.kind == .quotaExhausted)
        #expect(error?.hint?.contains("2024-03-09T18:00:00Z for another user") == true)
        #expect(second == nil)
    }

    @Test func `a call shared by two users is charged to the user with quota left`() throws {
        let error = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            _ = await world.fetch(page: 0, world.demand(for: 2))
            let demand = world.demand(for: 2)
            let caller = CallDemand.Caller(client: ClientIdentity(userID: 3, program: "other"))
            demand.join(caller, until: at(.seconds(10)))
            return await world.fetch(page: 1, demand).error
        }
        #expect(error == nil)
    }

    @Test func `if an administrator sets the usage of a quota, calls are allowed or refused at once`() throws {
        let (closed, unknown, open) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.twoADay)
            let figures = try await world.limiter.setQuota("a-day", used: 2 * Money.scale)
            #expect(figures.map(\.left) == [0])
            let closed = await world.fetch().error?.kind
            let unknown = try await world.limiter.setQuota("b-day", used: Money.scale)
            _ = try await world.limiter.setQuota("a-day", used: 0)
            return (closed, unknown, await world.fetch(page: 1).error)
        }
        #expect(closed == .quotaExhausted)
        #expect(unknown.isEmpty)
        #expect(open == nil)
    }

    @Test func `if a source reports a used-up quota, nothing is left until an administrator sets the usage`() throws {
        let (said, later, figures) = try virtually { loop, _ in
            let reset = "2024-03-10T00:00:00Z"
            let quota = "quotas: [{ name: \"a-day\", limit: 9, per: \"day\" }],"
            let world = try await LimitedWorld(on: loop, account: quota) { _, call in
                let error = SearchError(.quotaExhausted, "no", retryAfter: .seconds(900), resetsAt: reset)
                return call == 0 ? ScriptedFetcher.Answer(outcome: .failure(error)) : .page(page("a.one", [1]))
            }
            _ = await world.fetch()
            let said = await world.quota()
            let refused = await world.fetch(page: 1).error
            #expect(refused?.kind == .quotaExhausted && refused?.resetsAt == reset)
            _ = try await world.limiter.setQuota("a-day", used: Money.scale)
            return (said, await world.fetch(page: 1).error, await world.quota())
        }
        #expect(said?.used == 1 && said?.left == 0 && said?.resetsAt.text == "2024-03-10T00:00:00Z")
        #expect(later == nil)
        #expect(figures?.left == 7)
    }

    @Test func `a failure of the ledger is reported once with the affected sources, and its recovery once`() throws {
        let changes = Locked<[StateChange]>([])
        try virtually { loop, _ in
            let store = ScriptedQuotaStore(on: loop)
            let limiter = RateLimiter(
                on: loop,
                store: store,
                wallClock: { LimitedWorld.wall },
                changed: { change in changes.withLock { $0.append(change) } }
            )
            let account = "quotas: [{ name: \"a-day\", limit: 9, per: \"day\" }],"
            await limiter.configure(try LimitedWorld.sources(account, ["a.one": "", "a.two": ""]))
            let demand = CallDemand()
            for isFull in [true, true, false, false] {
                store.set(isFull: isFull)
                _ = try? await limiter.start(sourceName("a.one"), for: demand) { _ in }
            }
        }
        let reported = changes.withLock { $0 }
        #expect(reported.map(\.isTrouble) == [true, false])
        #expect(reported.first?.message.contains("a.one, a.two") == true)
    }
}
