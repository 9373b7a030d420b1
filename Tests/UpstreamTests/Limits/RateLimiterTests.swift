import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct RateLimiterTests {
    @Test func `calls start at the rate of their source`() throws {
        let times = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 3 },"])
            return await withTaskGroup(of: Instant?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        guard case .success(let pass) = await world.start() else { return nil }
                        await world.end(pass)
                        return world.loop.now
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let started = times.compactMap(\.self).sorted()
        #expect(started.count == 20)
        #expect(started.prefix(3).allSatisfy { $0 == at(.zero) })
        #expect(started.last == at(.milliseconds(102 * 17)))
    }

    @Test func `if a call is not sent, another call can start in its place`() async throws {
        let error = try await withLoop("limits") { loop in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 0.01, burst: 1 },"])
            return await world.run {
                if case .success(let pass) = await world.start() { await world.end(pass, wasSent: false) }
                return await world.start("a.one", world.demand(within: .zero)).error
            }.value
        }
        #expect(error == nil)
    }

    @Test func `a background call waits if it would leave less than half of the burst`() throws {
        let waits = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 4 },"])
            let (source, gone) = (try #require(SourceName("a.one")), try #require(SourceName("b.gone")))
            var waits: [Duration?] = []
            for _ in 0..<3 {
                waits.append(await world.limiter.spareWait(source, for: 1000))
                if case .success(let pass) = await world.start() { await world.end(pass) }
            }
            return waits + [await world.limiter.spareWait(gone, for: 1000)]
        }
        #expect(waits.map { $0 != nil } == [false, false, true, true])
        #expect(waits[2] == .milliseconds(3 * 102))
    }

    @Test func `a call that would miss its deadline is refused at once with its earliest start time`() throws {
        let (error, refusedAt, servedAt) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            if case .success(let pass) = await world.start() { await world.end(pass) }
            let error = await world.start("a.one", world.demand(within: .milliseconds(500))).error
            let refusedAt = loop.now
            try await world.sleep(try #require(error?.retryAfter))
            let outcome = await world.start("a.one", world.demand(within: .zero))
            return (error, refusedAt, outcome.error == nil ? loop.now : nil)
        }
        #expect(error?.kind == .rateLimited)
        #expect(error?.retryAfter == .milliseconds(1020))
        #expect(error?.hint != nil)
        #expect(refusedAt == at(.zero))
        #expect(servedAt == at(.milliseconds(1020)))
    }

    @Test func `waiting calls that cannot start before their deadlines are refused`() throws {
        let (served, refused) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 1 },"]) {
                _,
                _ in .page(page("a.one", [1]), after: .zero)
            }
            let outcomes = await withTaskGroup(of: SearchError?.self) { group in
                for number in 0..<50 {
                    group.addTask { await world.fetch(page: number, world.demand(within: .milliseconds(1020))).error }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            return (outcomes.count { $0 == nil }, outcomes.compactMap(\.self))
        }
        #expect(served == 11)
        #expect(Set(refused.map(\.kind)) == [.rateLimited])
        #expect(Set(refused.map(\.retryAfter)) == [.milliseconds(102)])
    }

    @Test func `if a waiting call is cancelled, the next call takes its place`() throws {
        let (error, servedAt) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            if case .success(let pass) = await world.start() { await world.end(pass) }
            let leaves = world.run { await world.start().error }
            try await world.sleep(.milliseconds(1))
            let stays = world.run {
                _ = await world.start()
                return world.loop.now
            }
            try await world.sleep(.milliseconds(1))
            leaves.cancel()
            return (await leaves.value, await stays.value)
        }
        #expect(error?.kind == .cancelled)
        #expect(servedAt == at(.milliseconds(1020)))
    }

    @Test func `a call that was not sent counts neither for the rate nor for the quota`() throws {
        let outcomes = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"day\", limit: 3, per: \"day\" }],",
                sources: ["a.one": "limits: { perSecond: 0.001, burst: 2 },"]
            )
            var errors: [SearchError.Kind?] = []
            for _ in 0..<20 {
                guard case .success(let pass) = await world.start() else { break }
                await world.end(pass, .cancelled, wasSent: false)
            }
            for _ in 0..<3 {
                let outcome = await world.start()
                errors.append(outcome.error?.kind)
                if case .success(let pass) = outcome { await world.end(pass) }
            }
            return errors
        }
        #expect(outcomes == [nil, nil, .rateLimited])
    }

    @Test func `sources of one account share its rate`() throws {
        let end = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "limits: { perSecond: 10, burst: 1 },",
                sources: ["a.one": "", "a.two": ""]
            )
            await withTaskGroup(of: Void.self) { group in
                for call in 0..<10 {
                    group.addTask {
                        let outcome = await world.start(call % 2 == 0 ? "a.one" : "a.two")
                        if case .success(let pass) = outcome { await world.end(pass) }
                    }
                }
            }
            return loop.now
        }
        #expect(end == at(.milliseconds(102 * 9)))
    }

    @Test func `a source that waits for its own rate does not delay another source of its account`() throws {
        let servedAt = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                sources: ["a.one": "limits: { perSecond: 1, burst: 1 },", "a.two": ""]
            )
            let waiting = world.run {
                _ = await world.start()
                _ = await world.start()
            }
            try await world.sleep(.milliseconds(1))
            _ = await world.start("a.two")
            let servedAt = loop.now
            await waiting.value
            return servedAt
        }
        #expect(servedAt == at(.milliseconds(1)))
    }

    @Test func `if the limits change, earlier calls still count`() throws {
        let (before, after) = try virtually { loop, _ in
            let quotas = "quotas: [{ name: \"day\", limit: 3, per: \"day\" }],"
            let world = try await LimitedWorld(
                on: loop,
                account: quotas,
                sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"]
            )
            if case .success(let pass) = await world.start() { await world.end(pass) }
            let before = await world.limiter.standings()[sourceName("a.one")]?.quotas.first?.used
            let sources = try LimitedWorld.sources(quotas, ["a.one": "limits: { perSecond: 2, burst: 2 },"])
            await world.limiter.configure(sources)
            let after = await world.limiter.standings()[sourceName("a.one")]?.quotas.first?.used
            return (before, after)
        }
        #expect(before == 1)
        #expect(after == 1)
    }
}
