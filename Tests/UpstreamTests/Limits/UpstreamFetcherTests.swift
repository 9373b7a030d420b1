import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct UpstreamFetcherTests {
    private static func failure(
        _ kind: SearchError.Kind,
        retryable: Bool = true,
        retryAfter: Duration? = nil,
        resetsAt: String? = nil
    ) -> ScriptedFetcher.Answer {
        let error = SearchError(
            kind,
            "the script says so",
            retryable: retryable,
            retryAfter: retryAfter,
            resetsAt: resetsAt
        )
        return ScriptedFetcher.Answer(afterSending: .milliseconds(50), outcome: .failure(error))
    }

    @Test func `a call that fails once is retried, and its callers get a retry event`() throws {
        let (outcome, events, calls) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop) { _, call in
                call == 0 ? Self.failure(.unavailable) : .page(page("a.one", [1]))
            }
            let events = Locked<[CallEvent]>([])
            let outcome = await world.fetch { event in events.withLock { $0.append(event) } }
            return (outcome, events.withLock { $0 }, world.fetcher.calls.sent.count)
        }
        #expect(outcome.error == nil)
        #expect(calls == 2)
        guard events.count == 4, case .retrying(attempt: 2, let wait, let error) = events[1] else {
            Issue.record("\(events)")
            return
        }
        #expect(wait <= Backoff.base && error?.kind == .unavailable)
        #expect(events[0] == .sent && events[2] == .sent)
        if case .answered(status: 200, _, _) = events[3] {} else { Issue.record("\(events[3])") }
    }

    @Test func `if a pause begins while a call waits in the queue, the call is refused with the reason of the pause`()
        throws
    {
        let reset = "2024-03-10T00:00:00Z"
        let error = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "", "a.two": ""]) { key, _ in
                key.source == sourceName("a.two")
                    ? Self.failure(.quotaExhausted, retryable: false, retryAfter: .seconds(900), resetsAt: reset)
                    : .page(page("a.one", [1]), after: .seconds(5))
            }
            async let slow = world.fetch()
            _ = await world.fetch("a.two", page: 1)
            let error = await world.fetch(page: 2).error
            _ = await slow
            return error
        }
        #expect(error?.kind == .quotaExhausted && error?.resetsAt == reset, "\(String(describing: error))")
    }

    @Test func `if a source requests a pause, it gets no calls until the pause ends`() throws {
        let sent = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, sources: ["a.one": "", "a.two": ""]) { _, call in
                call == 2 ? Self.failure(.rateLimited, retryAfter: .seconds(7)) : .page(page("a.one", [1]))
            }
            let sent = Locked<[Instant]>([])
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try? await loop.sleep(until: at(.milliseconds(number * 100)))
                        let source = number % 2 == 0 ? "a.one" : "a.two"
                        _ = await world.fetch(source, page: number, world.demand(within: .seconds(2))) { event in
                            if event == .sent { sent.withLock { $0.append(loop.now) } }
                        }
                    }
                }
            }
            return sent.withLock { $0 }
        }
        // The third call is sent at 200 ms, and the response arrives at 250 ms.
        let pause = at(.milliseconds(250))..<at(.milliseconds(7250))
        #expect(sent.filter(pause.contains).isEmpty)
        #expect(sent.filter { $0 >= pause.upperBound }.count > 100)
    }

    @Test func `if a source reports a used-up quota, it gets no calls until the quota resets`() throws {
        let (first, second, begun) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop) { _, _ in
                Self.failure(
                    .quotaExhausted,
                    retryable: false,
                    retryAfter: .seconds(3600),
                    resetsAt: "2024-03-09T01:00:00Z"
                )
            }
            let first = await world.fetch().error
            try await world.sleep(.seconds(3000))
            let second = await world.fetch(page: 1).error
            let begun = world.fetcher.calls.begun.count
            return (first, second, begun)
        }
        #expect(first?.kind == .quotaExhausted)
        #expect(second?.kind == .quotaExhausted)
        #expect(second?.resetsAt == "2024-03-09T01:00:00Z")
        #expect(try #require(second?.retryAfter) > .seconds(590))
        #expect(begun == 1)
    }

    @Test func `if all calls to a source fail, the source is paused, and then tested with one call`() throws {
        let (refusal, begun, probing, closed, states) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop) { _, call in
                call < 5 ? Self.failure(.unavailable, retryable: false) : .page(page("a.one", [1]))
            }
            for number in 0..<5 { _ = await world.fetch(page: number) }
            let refusal = await world.fetch(page: 5).error
            let begun = world.fetcher.calls.begun.count
            let states = Locked<[CallEvent]>([])
            try await world.sleep(.seconds(2))
            let probes = await withTaskGroup(of: Bool.self) { group in
                for number in 6..<12 {
                    group.addTask {
                        let outcome = await world.fetch(page: number) { event in states.withLock { $0.append(event) } }
                        return outcome.error == nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            _ = await world.fetch(page: 20)
            return (refusal, begun, probes, await world.fetch(page: 21).error == nil, states.withLock { $0 })
        }
        #expect(refusal?.kind == .unavailable)
        #expect(refusal?.message == "a.one: suspended after repeated failures" && refusal?.hint == nil)
        #expect(try #require(refusal?.retryAfter) <= .milliseconds(1500))
        #expect(begun == 5)
        #expect(probing == 1)
        #expect(closed)
        #expect(states.contains(.breaker(.open)))
    }

    @Test func `if a call fails before it is sent, the count of failures is not reset`() throws {
        let begun = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop)
            for number in 0..<Breaker.consecutiveMax {
                guard case .success(let failing) = await world.start() else { return number }
                await world.end(failing, SearchError(.unavailable, "down", retryable: false))
                guard case .success(let wrong) = await world.start() else { return number + 1 }
                await world.end(wrong, SearchError(.invalidParams, "never sent"), wasSent: false)
            }
            return 0
        }
        #expect(begun == Breaker.consecutiveMax)
    }

    @Test func `if a call is cancelled before it is sent, nothing is charged`() throws {
        let (error, figures) = try virtually { loop, _ in
            let quota = "quotas: [{ name: \"a-day\", limit: 1024, per: \"day\" }],"
            let world = try await LimitedWorld(on: loop, account: quota) { _, _ in
                ScriptedFetcher.Answer(beforeSending: .seconds(1), outcome: .success(page("a.one", [1])))
            }
            let call = world.run { await world.fetch().error }
            try await world.sleep(.milliseconds(500))
            call.cancel()
            let error = await call.value
            return (error, await world.limiter.standings()[sourceName("a.one")]?.quotas.first)
        }
        #expect(error?.kind == .cancelled)
        #expect(figures?.used == 0)
        #expect(figures?.left == 1024)
    }

    @Test func `while the machine is offline, calls fail at once without retries, and no breaker opens`() throws {
        var error = SearchError(.unavailable, "This machine is offline.", retryable: true)
        error.isOffline = true
        try virtually { [offline = error] loop, _ in
            let isOnline = Locked(false)
            let world = try await LimitedWorld(on: loop) { _, _ in
                guard !isOnline.withLock({ $0 }) else { return .page(page("a.one", [1])) }
                return ScriptedFetcher.Answer(outcome: .failure(offline))
            }
            let sent = Locked(0)
            for number in 0..<20 {
                let outcome = await world.fetch(page: number) { event in
                    if event == .sent { sent.withLock { $0 += 1 } }
                }
                #expect(outcome.error?.isOffline == true)
            }
            #expect(sent.withLock { $0 } == 20)
            isOnline.withLock { $0 = true }
            #expect(await world.fetch(page: 99) { _ in }.error == nil)
        }
    }
}
