import Catalogue
import EventLoop
import RPC
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct RequestThrottleTests {
    private struct Stage: Sendable {
        let loop: EventLoop
        let throttle: RequestThrottle
        let source: ScriptedFetcher
        let inFlight: InFlight<PageKey, Page>

        init(
            on loop: EventLoop,
            slots: Int = 1,
            account: Int = .max,
            waitingMax: Int = 8192,
            waitingPerClientMax: Int = 1024,
            rateDelay: @escaping RequestThrottle.RateDelay = { _, _ in .zero },
            script: (@Sendable (PageKey, Int) -> ScriptedFetcher.Answer)? = nil
        ) {
            self.loop = loop
            throttle = RequestThrottle(
                on: loop,
                waitingMax: waitingMax,
                waitingPerClientMax: waitingPerClientMax,
                slots: { _ in (slots, account) },
                rateDelay: rateDelay
            )
            source = ScriptedFetcher(on: loop, script: script ?? { _, _ in .page(page("a.one", 0..<1)) })
            inFlight = InFlight(on: loop, flightsMax: 10_000)
        }

        func ask(
            _ query: String,
            as number: Int = 1,
            user: UInt32 = 1000,
            _ priority: Priority = .interactive,
            by deadline: Duration? = nil,
            of name: String = "a.one",
            report: CallReport? = nil
        ) -> Task<Result<Page, SearchError>, Never> {
            let key = pageKey(name, query: query)
            return Task(executorPreference: loop) {
                await inFlight.value(
                    for: key,
                    refresh: false,
                    caller: CallDemand.Caller(client: client(number, user: user), priority: priority),
                    until: deadline.map { at($0) } ?? Instant(nanoseconds: .max),
                    late: SearchError(.timeout, "late"),
                    report: report
                ) { demand, report in
                    do throws(SearchError) {
                        let turn = try await throttle.enter(key.source, for: demand, report: report)
                        defer { throttle.onLoop { $0.leave(turn) } }
                        throttle.onLoop { $0.admitted(turn) }
                        return .success(try await source.fetch(key, for: demand, report: report))
                    } catch {
                        return .failure(error)
                    }
                }.outcome
            }
        }

        func sleep(until time: Duration) async throws {
            try await loop.sleep(until: at(time))
        }

        var sent: [String] { source.calls.sent.map(\.request.query.text) }
    }

    @Test func `as many calls run as the source allows, and clients take turns`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, slots: 2)
            var tasks = (1...4).map { stage.ask("flood \($0)") }
            try await stage.sleep(until: .milliseconds(10))
            tasks.append(stage.ask("light", as: 2))
            for task in tasks { #expect(await task.value.value != nil) }
            #expect(stage.sent == ["flood 1", "flood 2", "flood 3", "light", "flood 4"])
            // Two calls run at a time and take 50 ms, so five calls take 150 ms.
            #expect(loop.now == at(.milliseconds(150)))
            #expect(await stage.throttle.waitingCount == 0)
        }
    }

    @Test func `the sources of an account take turns in the slots of the account`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, slots: 2, account: 2)
            var tasks = (1...4).map { stage.ask("one \($0)") }
            try await stage.sleep(until: .milliseconds(10))
            tasks += (1...2).map { stage.ask("two \($0)", as: 2, of: "a.two") }
            for task in tasks { #expect(await task.value.value != nil) }
            #expect(stage.sent.prefix(2) == ["one 1", "one 2"])
            #expect(Set(stage.sent[2...3]) == ["one 3", "two 1"])
            #expect(loop.now == at(.milliseconds(150)))
        }
    }

    @Test func `if a waiting caller leaves, its call does not begin, and the next call is sent`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop)
            let tasks = ["first", "gone", "last"].map { stage.ask($0) }
            try await stage.sleep(until: .milliseconds(10))
            tasks[1].cancel()
            #expect(await tasks[1].value.failureKind == .cancelled)
            #expect(loop.now == at(.milliseconds(10)))
            #expect(await tasks[2].value.value != nil)
            #expect(stage.sent == ["first", "last"])
            #expect(stage.source.calls.begun.count == 2)
            #expect(await stage.throttle.waitingCount == 0)
        }
    }

    @Test func `if a call is cancelled before it is sent, its slot becomes free`() throws {
        try virtually { loop, _ in
            let stage = Stage(
                on: loop,
                script: { _, number in
                    var answer = ScriptedFetcher.Answer.page(page("a.one", 0..<1))
                    if number == 0 { answer.beforeSending = .seconds(5) }
                    return answer
                }
            )
            let tasks = ["held", "next"].map { stage.ask($0) }
            try await stage.sleep(until: .milliseconds(10))
            tasks[0].cancel()
            #expect(await tasks[1].value.value != nil)
            #expect(stage.sent == ["next"])
            #expect(loop.now == at(.milliseconds(60)))
        }
    }

    @Test func `a background call that an interactive caller joins is sent before other background calls`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop)
            let first = stage.ask("first")
            let background = ["one", "two"].map { stage.ask($0, as: 2, .background) }
            try await stage.sleep(until: .milliseconds(10))
            let own = stage.ask("own", as: 3)
            try await stage.sleep(until: .milliseconds(11))
            for task in [first] + background + [own, stage.ask("two", as: 4)] { #expect(await task.value.value != nil) }
            #expect(stage.sent == ["first", "own", "two", "one"])
        }
    }

    @Test func `if a slot is free, a background call that an interactive caller joins is sent at once`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, slots: 2)
            let background = ["one", "two"].map { stage.ask($0, as: 2, .background) }
            try await stage.sleep(until: .milliseconds(10))
            #expect(stage.sent == ["one"])
            let joined = stage.ask("two", as: 3)
            try await stage.sleep(until: .milliseconds(20))
            #expect(stage.sent == ["one", "two"])
            for task in background + [joined] { #expect(await task.value.value != nil) }
        }
    }

    @Test func `if another client joins the last call of a client with many calls, the call is sent earlier`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop)
            var tasks = (1...5).map { stage.ask("\($0)") }
            try await stage.sleep(until: .milliseconds(10))
            tasks.append(stage.ask("5", as: 2))
            for task in tasks { #expect(await task.value.value != nil) }
            #expect(stage.sent == ["1", "2", "5", "3", "4"])
        }
    }

    @Test func `if a call would miss its deadline, it is refused at once with a retry time`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop)
            _ = await stage.ask("pace").value
            let tasks = (0..<4).map { stage.ask("\($0)", by: .seconds(10)) }
            try await stage.sleep(until: .milliseconds(60))
            // One call runs until 100 ms. The three waiting calls and this call take 50 ms each.
            let refused = await stage.ask("late", by: .milliseconds(299)).value
            #expect(refused.failureKind == .overloaded)
            #expect(refused.failure?.retryAfter == .milliseconds(11))
            #expect(refused.failure?.retryable == true)
            #expect(refused.failure?.source == sourceName("a.one"))
            #expect(loop.now == at(.milliseconds(60)))
            #expect(await stage.ask("in time", by: .milliseconds(311)).value.value != nil)
            for task in tasks { #expect(await task.value.value != nil) }
        }
    }

    @Test func `if the rate limit would delay a call past its deadline, the call is refused at once`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, rateDelay: { _, others in .seconds(others) })
            let first = stage.ask("first")
            let second = stage.ask("second", by: .seconds(10))
            try await stage.sleep(until: .milliseconds(10))
            let refused = await stage.ask("third", by: .milliseconds(500)).value
            #expect(refused.failureKind == .rateLimited)
            #expect(refused.failure?.retryAfter == .milliseconds(510))
            #expect(loop.now == at(.milliseconds(10)))
            for task in [first, second] { #expect(await task.value.value != nil) }
        }
    }

    @Test func `waiting calls to all sources count towards the limit of a client`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, waitingPerClientMax: 2)
            let running = [stage.ask("one", as: 9), stage.ask("two", as: 9, of: "b.two")]
            try await stage.sleep(until: .milliseconds(1))
            let own = [stage.ask("own 1"), stage.ask("own 2", of: "b.two")]
            try await stage.sleep(until: .milliseconds(2))
            let refused = await stage.ask("own 3").value
            #expect(refused.failureKind == .overloaded && refused.failure?.retryAfter == .seconds(1))
            for task in running + own + [stage.ask("other", as: 2)] { #expect(await task.value.value != nil) }
        }
    }

    @Test func `the calls of a user fill at most half of the queue, so other users can wait, too`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop, waitingMax: 4)
            let flood = (0..<3).map { stage.ask("flood \($0)", as: $0) }
            try await stage.sleep(until: .milliseconds(1))
            #expect(await stage.ask("flood 3", as: 3).value.failureKind == .overloaded)
            let others = [stage.ask("other", as: 1, user: 2000), stage.ask("third", as: 1, user: 3000)]
            for task in flood + others { #expect(await task.value.value != nil) }
        }
    }

    @Test func `a waiting caller is told the reason and the length of the wait`() throws {
        try virtually { loop, _ in
            let stage = Stage(on: loop)
            let events = Locked<[CallEvent]>([])
            let report: CallReport = { event in
                if case .answered = event { return }
                events.withLock { $0.append(event) }
            }
            _ = await stage.ask("pace", report: report).value
            #expect(events.withLock { $0 } == [.sent])
            let tasks = [stage.ask("a", as: 2), stage.ask("b", as: 2)]
            try await stage.sleep(until: .milliseconds(60))
            let last = stage.ask("c", as: 2, report: report)
            for task in tasks + [last] { #expect(await task.value.value != nil) }
            #expect(events.withLock { $0 } == [.sent, .queued(.concurrency, wait: .milliseconds(100)), .sent])
        }
    }
}
