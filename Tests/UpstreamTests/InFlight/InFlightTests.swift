import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct InFlightTests {
    private typealias Sharing = InFlight<String, Int>

    private struct Calls: Sendable {
        var begun = 0
        var sent = 0
        var cancelled = 0
        var finished = 0
    }

    /// The call is sent after one second and ends after two.
    private static func call(
        on loop: EventLoop,
        _ calls: Locked<Calls>,
        fails: Bool = false
    ) -> @Sendable (CallDemand, @escaping CallReport) async -> Sharing.Outcome {
        { _, report in
            let number = calls.withLock { calls in
                calls.begun += 1
                return calls.begun
            }
            do {
                try await loop.sleep(until: loop.now.advanced(by: .seconds(1)))
                report(.sent)
                calls.withLock { $0.sent += 1 }
                try await loop.sleep(until: loop.now.advanced(by: .seconds(1)))
            } catch {
                calls.withLock { $0.cancelled += 1 }
                return .failure(.cancelled)
            }
            calls.withLock { $0.finished += 1 }
            return fails ? .failure(SearchError(.unavailable, "it is down")) : .success(number)
        }
    }

    @Test(arguments: [false, true]) func `a thousand callers share one call and its outcome`(fails: Bool) throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let answers = await withTaskGroup(of: Sharing.Shared.self) { group in
                for _ in 0..<1000 {
                    group.addTask {
                        await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls, fails: fails))
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 1000)
            #expect(answers.count { !$0.joined } == 1)
            #expect(calls.withLock { $0.begun } == 1)
            let outcomes = answers.map(\.outcome)
            if fails {
                #expect(outcomes.allSatisfy { $0.failureKind == .unavailable })
            } else {
                #expect(outcomes.allSatisfy { $0.value == 1 })
            }
            #expect(loop.now == at(.seconds(2)))
            #expect(await sharing.flightCount == 0)
            #expect(await sharing.waiterCount == 0)
        }
    }

    @Test func `a failure is not shared with later callers`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let first = await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls, fails: true))
            #expect(first.outcome.failureKind == .unavailable)
            let second = await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls))
            #expect(second.outcome.value == 2)
        }
    }

    @Test(arguments: [Duration.milliseconds(500), .milliseconds(1500)])
    func `cancelling the first caller does not affect the other callers`(after delay: Duration) throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let leader = Task(executorPreference: loop) {
                let shared = await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls))
                return (shared.outcome.failureKind, loop.now)
            }
            try await loop.sleep(until: at(.milliseconds(1)))
            let follower = Task(executorPreference: loop) {
                await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls))
            }
            try await loop.sleep(until: at(delay))
            leader.cancel()
            let (kind, leftAt) = await leader.value
            #expect(kind == .cancelled)
            #expect(leftAt == at(delay))
            let shared = await follower.value
            #expect(shared.joined)
            #expect(shared.outcome.value == 1)
            #expect(loop.now == at(.seconds(2)))
            #expect(calls.withLock { $0.begun } == 1)
        }
    }

    @Test func `if all callers leave before a call is sent, the call is cancelled`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let callers = (0..<3).map { _ in
                Task(executorPreference: loop) {
                    await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls)).outcome
                }
            }
            try await loop.sleep(until: at(.milliseconds(900)))
            for caller in callers {
                caller.cancel()
                #expect(await caller.value.failureKind == .cancelled)
            }
            #expect(await sharing.flightCount == 0)
            let late = await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls))
            #expect(late.outcome.value == 2)
            let figures = calls.withLock { $0 }
            #expect(figures.sent == 1 && figures.cancelled == 1 && figures.finished == 1)
        }
    }

    @Test func `if all callers leave after a call was sent, the call finishes, and new callers join the call`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let caller = Task(executorPreference: loop) {
                await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls)).outcome
            }
            try await loop.sleep(until: at(.milliseconds(1001)))
            caller.cancel()
            #expect(await caller.value.failureKind == .cancelled)
            #expect(await sharing.flightCount == 1)
            #expect(await sharing.waiterCount == 0)
            let newcomer = await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls))
            #expect(newcomer.joined)
            #expect(newcomer.outcome.value == 1)
            #expect(loop.now == at(.seconds(2)))
            #expect(calls.withLock { $0.finished } == 1)
        }
    }

    @Test func `events of a call are reported to its callers, but not to callers that have left`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let reported = Locked<[[CallEvent]]>([[], [], []])
            let callers = (0..<3).map { number in
                Task(executorPreference: loop) {
                    await sharing.value(
                        for: "a",
                        refresh: false,
                        report: { event in reported.withLock { $0[number].append(event) } }
                    ) { _, report in
                        try? await loop.sleep(until: at(.seconds(1)))
                        report(.sent)
                        return .success(1)
                    }
                }
            }
            try await loop.sleep(until: at(.milliseconds(1)))
            callers[1].cancel()
            for caller in callers { _ = await caller.value }
            #expect(reported.withLock { $0 } == [[.sent], [.joined], [.joined, .sent]])
        }
    }

    @Test func `a refresh starts a new call, and earlier callers get the outcome of the old call`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let old = Task(executorPreference: loop) {
                try await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls)).outcome.get()
            }
            try await loop.sleep(until: at(.milliseconds(1500)))
            let new = Task(executorPreference: loop) {
                try await sharing.value(for: "a", refresh: true, call: Self.call(on: loop, calls)).outcome.get()
            }
            try await loop.sleep(until: at(.milliseconds(1600)))
            let newcomer = Task(executorPreference: loop) {
                try await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls)).outcome.get()
            }
            #expect(try await old.value == 1)
            #expect(loop.now == at(.seconds(2)))
            #expect(try await new.value == 2)
            #expect(try await newcomer.value == 2)
            #expect(loop.now == at(.milliseconds(3500)))
        }
    }

    @Test func `at the limit of calls, a new call is refused, but a running call can be joined`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 1)
            let calls = Locked(Calls())
            let callers = (0..<2).map { _ in
                Task(executorPreference: loop) {
                    await sharing.value(for: "a", refresh: false, call: Self.call(on: loop, calls)).outcome
                }
            }
            try await loop.sleep(until: at(.milliseconds(1)))
            let refused = await sharing.value(for: "b", refresh: false, call: Self.call(on: loop, calls))
            #expect(refused.outcome.failureKind == .overloaded)
            #expect(refused.outcome.failure?.retryAfter == .seconds(1))
            #expect(loop.now == at(.milliseconds(1)))
            for caller in callers { #expect(await caller.value.value == 1) }
            #expect(calls.withLock { $0.begun } == 1)
        }
    }

    @Test func `at shutdown, every caller gets an answer`() throws {
        try virtually { loop, _ in
            let sharing = Sharing(on: loop, flightsMax: 10)
            let calls = Locked(Calls())
            let callers = ["a", "a", "b"].map { key in
                Task(executorPreference: loop) {
                    await sharing.value(for: key, refresh: false, call: Self.call(on: loop, calls)).outcome
                }
            }
            try await loop.sleep(until: at(.milliseconds(1500)))
            await sharing.cancelAll()
            for caller in callers { #expect(await caller.value.failureKind == .cancelled) }
            #expect(loop.now == at(.milliseconds(1500)))
            #expect(await sharing.flightCount == 0)
        }
    }
}

extension InFlight {
    fileprivate func value(
        for key: Key,
        refresh: Bool,
        report: CallReport? = nil,
        call: @escaping Call
    ) async -> Shared {
        await value(
            for: key,
            refresh: refresh,
            caller: CallDemand.Caller(),
            until: Instant(nanoseconds: .max),
            late: .cancelled,
            report: report,
            call: call
        )
    }
}
