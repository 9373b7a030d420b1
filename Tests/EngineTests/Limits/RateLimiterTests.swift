import EventLoop
import RPC
import SearchModel
import TestSupport
import Testing

@testable import Engine

struct RateLimiterTests {
    @Test func `calls go at the rate of their source and not faster`() throws {
        let times = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 3 },"])
            return await withTaskGroup(of: Instant?.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        guard case .success(let admission) = await world.admit() else { return nil }
                        await world.end(admission)
                        return world.loop.now
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let admitted = times.compactMap(\.self).sorted()
        #expect(admitted.count == 20)
        #expect(admitted.prefix(3).allSatisfy { $0 == at(.zero) })
        #expect(admitted.last == at(.milliseconds(102 * 17)))
    }

    @Test func `who asks first goes first, and the more urgent before`() throws {
        let order = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 1 },"])
            let order = Locked<[String]>([])
            var tasks: [Task<Void, Never>] = []
            for (name, priority) in [("b1", Priority.background), ("b2", .background), ("i1", .interactive)] {
                tasks.append(
                    world.run {
                        let outcome = await world.admit("a.one", world.demand(priority))
                        order.withLock { $0.append(name) }
                        if case .success(let admission) = outcome { await world.end(admission) }
                    }
                )
                try await world.sleep(.milliseconds(1))
            }
            for task in tasks { await task.value }
            return order.withLock { $0 }
        }
        #expect(order == ["b1", "i1", "b2"])
    }

    @Test func `a source has calls to spare while none is under way and half of its burst is left`() throws {
        let waits = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 4 },"])
            let (source, gone) = (try #require(SourceName("a.one")), try #require(SourceName("b.gone")))
            var waits: [Duration?] = [await world.limiter.spareWait(source)]
            guard case .success(let first) = await world.admit() else { return waits }
            waits.append(await world.limiter.spareWait(source))
            await world.end(first)
            waits.append(await world.limiter.spareWait(source))
            if case .success(let second) = await world.admit() { await world.end(second) }
            waits.append(await world.limiter.spareWait(source))
            return waits + [await world.limiter.spareWait(gone)]
        }
        #expect(waits.map { $0 != nil } == [false, true, false, true, true])
        #expect(waits[3] == .milliseconds(102))
    }

    @Test func `who can't be served in time is refused at once and served at the time it is told`() throws {
        let (error, refusedAt, servedAt) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            if case .success(let admission) = await world.admit() { await world.end(admission) }
            let error = await world.admit("a.one", world.demand(within: .milliseconds(500))).error
            let refusedAt = loop.now
            try await world.sleep(try #require(error?.retryAfter))
            let outcome = await world.admit("a.one", world.demand(within: .zero))
            return (error, refusedAt, outcome.error == nil ? loop.now : nil)
        }
        #expect(error?.kind == .rateLimited)
        #expect(error?.retryAfter == .milliseconds(1020))
        #expect(error?.hint != nil)
        #expect(refusedAt == at(.zero))
        #expect(servedAt == at(.milliseconds(1020)))
    }

    @Test func `of those who wait only as many are let in line as can be served in time`() throws {
        let (served, refused) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 10, burst: 1 },"])
            let outcomes = await withTaskGroup(of: SearchError?.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        let outcome = await world.admit("a.one", world.demand(within: .milliseconds(1020)))
                        if case .success(let admission) = outcome { await world.end(admission) }
                        return outcome.error
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            return (outcomes.count { $0 == nil }, outcomes.compactMap(\.self))
        }
        #expect(served == 11)
        #expect(Set(refused.map(\.kind)) == [.rateLimited])
        #expect(Set(refused.map(\.retryAfter)) == [.milliseconds(1122)])
    }

    @Test func `a waiter that leaves gives its place to the next`() throws {
        let (error, servedAt) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            if case .success(let admission) = await world.admit() { await world.end(admission) }
            let leaves = world.run { await world.admit().error }
            try await world.sleep(.milliseconds(1))
            let stays = world.run {
                _ = await world.admit()
                return world.loop.now
            }
            try await world.sleep(.milliseconds(1))
            leaves.cancel()
            return (await leaves.value, await stays.value)
        }
        #expect(error?.kind == .cancelled)
        #expect(servedAt == at(.milliseconds(1020)))
    }

    @Test func `a call that was not sent costs neither rate nor quota`() throws {
        let outcomes = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "quotas: [{ name: \"day\", limit: 2, per: \"day\" }],",
                sources: ["a.one": "limits: { perSecond: 0.001, burst: 2 },"]
            )
            var errors: [SearchError.Kind?] = []
            for _ in 0..<20 {
                guard case .success(let admission) = await world.admit() else { break }
                await world.end(admission, .cancelled, wasSent: false)
            }
            for _ in 0..<3 {
                let outcome = await world.admit()
                errors.append(outcome.error?.kind)
                if case .success(let admission) = outcome { await world.end(admission) }
            }
            return errors
        }
        #expect(outcomes == [nil, nil, .rateLimited])
    }

    @Test func `no more calls are under way than the source and its account bear`() throws {
        let most = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "limits: { concurrency: 5 },",
                sources: ["a.one": "limits: { concurrency: 3 },", "a.two": ""]
            )
            let underWay = Locked<[String: (now: Int, most: Int)]>([:])
            await withTaskGroup(of: Void.self) { group in
                for call in 0..<60 {
                    let source = call % 2 == 0 ? "a.one" : "a.two"
                    group.addTask {
                        guard case .success(let admission) = await world.admit(source) else { return }
                        for name in [source, "a"] {
                            underWay.withLock { counts in
                                counts[name, default: (0, 0)].now += 1
                                let count = counts[name, default: (0, 0)]
                                counts[name]?.most = max(count.now, count.most)
                            }
                        }
                        try? await world.sleep(.milliseconds(20))
                        underWay.withLock { counts in for name in [source, "a"] { counts[name]?.now -= 1 } }
                        await world.end(admission)
                    }
                }
            }
            return underWay.withLock { $0.mapValues(\.most) }
        }
        #expect(most["a"] == 5)
        #expect(most["a.one"] == 3)
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
                        let outcome = await world.admit(call % 2 == 0 ? "a.one" : "a.two")
                        if case .success(let admission) = outcome { await world.end(admission) }
                    }
                }
            }
            return loop.now
        }
        #expect(end == at(.milliseconds(102 * 9)))
    }

    @Test func `a source that waits for its own rate does not hold up another of its account`() throws {
        let servedAt = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                sources: ["a.one": "limits: { perSecond: 1, burst: 1 },", "a.two": ""]
            )
            let waiting = world.run {
                _ = await world.admit()
                _ = await world.admit()
            }
            try await world.sleep(.milliseconds(1))
            _ = await world.admit("a.two")
            let servedAt = loop.now
            await waiting.value
            return servedAt
        }
        #expect(servedAt == at(.milliseconds(1)))
    }

    @Test func `a caller that joins with more time and more urgency moves the call up`() throws {
        let order = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            if case .success(let admission) = await world.admit() { await world.end(admission) }
            let order = Locked<[String]>([])
            let (first, second) = (world.demand(.background), world.demand(.background))
            var tasks: [Task<Void, Never>] = []
            for (name, demand) in [("first", first), ("second", second)] {
                tasks.append(
                    world.run {
                        _ = await world.admit("a.one", demand)
                        order.withLock { $0.append(name) }
                    }
                )
                try await world.sleep(.milliseconds(1))
            }
            second.join(CallDemand.Caller(priority: .interactive), until: at(.seconds(20)), as: 7)
            for task in tasks { await task.value }
            return order.withLock { $0 }
        }
        #expect(order == ["second", "first"])
    }

    @Test func `who waits is told why and how long`() throws {
        let events = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            let events = Locked<[CallEvent]>([])
            for _ in 0..<2 {
                let outcome = await world.admit { event in events.withLock { $0.append(event) } }
                if case .success(let admission) = outcome { await world.end(admission) }
            }
            return events.withLock { $0 }
        }
        #expect(events == [.admitted, .queued(.rateLimit, wait: .milliseconds(1020)), .admitted])
    }

    @Test func `a call is reported as admitted when the limits let it through`() throws {
        let instants = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"])
            let instants = Locked<[Instant]>([])
            for _ in 0..<2 {
                let outcome = await world.admit { if $0 == .admitted { instants.withLock { $0.append(loop.now) } } }
                if case .success(let admission) = outcome { await world.end(admission) }
            }
            return instants.withLock { $0 }
        }
        #expect(instants == [at(.zero), at(.milliseconds(1020))])
    }

    @Test(arguments: [["a.two"], ["a.one", "a.two"]])
    func `a source that is removed during a call leaves no permit behind`(afterwards names: [String]) throws {
        let admitted = try virtually { loop, _ in
            let account = "limits: { concurrency: 2 },"
            let files = ["a.one": "limits: { concurrency: 1 },", "a.two": ""]
            let world = try await LimitedWorld(on: loop, account: account, sources: files)
            guard case .success(let call) = await world.admit("a.one") else { return -1 }
            for configured in [["a.two"], names] {
                let kept = files.filter { configured.contains($0.key) }
                await world.limiter.configure(try LimitedWorld.sources(account, kept))
            }
            await world.end(call)
            var admitted = 0
            while case .success = await world.admit("a.two", world.demand(within: .zero)) { admitted += 1 }
            return admitted
        }
        #expect(admitted == 2)
    }

    @Test func `a line has an end`() throws {
        let errors = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "limits: { concurrency: 1 },"])
            _ = await world.admit()
            let tasks = (0...SourceLimitState.waitersMax).map { _ in world.run { await world.admit().error?.kind } }
            try await world.sleep(.milliseconds(1))
            for task in tasks { task.cancel() }
            var errors: [SearchError.Kind: Int] = [:]
            for task in tasks {
                if let kind = await task.value { errors[kind, default: 0] += 1 }
            }
            return errors
        }
        #expect(errors == [.overloaded: 1, .cancelled: SourceLimitState.waitersMax])
    }

    @Test func `other limits hold from the next call on and nothing is forgotten`() throws {
        let (before, after) = try virtually { loop, _ in
            let quotas = "quotas: [{ name: \"day\", limit: 3, per: \"day\" }],"
            let world = try await LimitedWorld(
                on: loop,
                account: quotas,
                sources: ["a.one": "limits: { perSecond: 1, burst: 1 },"]
            )
            if case .success(let admission) = await world.admit() { await world.end(admission) }
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
