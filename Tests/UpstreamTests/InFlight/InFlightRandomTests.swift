import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Upstream

/// Callers that come and go at random.
struct InFlightRandomTests {
    private struct Call: Sendable {
        let number: Int
        let key: Int
        let begunAt: Instant
        var sentAt: Instant?
        var endedAt: Instant?
        var wasCancelled = false
    }

    private struct Caller: Sendable {
        let key: Int
        let cameAt: Instant
        /// Whether it wants a call that has not been sent yet.
        let refresh: Bool
        /// When it leaves, unless it has its answer by then.
        let patience: Duration?
        /// Whether it then reaches its deadline, or else is cancelled.
        let hasDeadline: Bool
        let endedAt: Instant
        let outcome: Result<Int, SearchError>
    }

    @Test func `whatever others do a caller gets its call's outcome when it ends or leaves at once`() throws {
        var random = SeededGenerator(seed: testSeed())
        let plans = (0..<1000).map { _ in
            (
                // The first three keys are never asked for anew.
                key: Int.random(in: 0..<5, using: &random),
                refresh: Int.random(in: 0..<10, using: &random) == 0,
                hasDeadline: Bool.random(using: &random),
                comes: Duration.milliseconds(Int.random(in: 0...5000, using: &random)),
                patience: Bool.random(using: &random)
                    ? Duration.microseconds(Int.random(in: 0...120_000, using: &random)) : nil
            )
        }
        let delays = (0..<2000).map { _ in
            (
                Duration.microseconds(Int.random(in: 0...50_000, using: &random)),
                Duration.microseconds(Int.random(in: 0...80_000, using: &random))
            )
        }
        let (callers, calls) = try virtually { loop, _ in
            let sharing = InFlight<Int, Int>(on: loop, flightsMax: 1000)
            let calls = Locked<[Call]>([])
            let callers = await withTaskGroup(of: Caller.self) { group in
                for plan in plans {
                    group.addTask { await Self.come(plan, sharing, on: loop, calls, delays) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(await sharing.waiterCount == 0)
            return (callers, calls.withLock { $0 })
        }
        #expect(callers.count == 1000)
        for caller in callers { Self.check(caller, calls) }
        for key in 0..<3 { Self.checkThatNoneOverlap(calls.filter { $0.key == key }) }
        // What has been sent is paid for.
        #expect(calls.allSatisfy { !($0.wasCancelled && $0.sentAt != nil) })
        #expect(calls.count < 1000)
    }

    private typealias Plan = (key: Int, refresh: Bool, hasDeadline: Bool, comes: Duration, patience: Duration?)

    private static func come(
        _ plan: Plan,
        _ sharing: InFlight<Int, Int>,
        on loop: EventLoop,
        _ calls: Locked<[Call]>,
        _ delays: [(Duration, Duration)]
    ) async -> Caller {
        try? await loop.sleep(until: at(plan.comes))
        let refresh = plan.refresh && plan.key > 2
        let leavesAt = plan.patience.map { at(plan.comes + $0) }
        let late = SearchError(.timeout, "late")
        let task = Task(executorPreference: loop) {
            let outcome = await sharing.value(
                for: plan.key,
                refresh: refresh,
                deadline: plan.hasDeadline ? leavesAt.map { InFlight.Deadline(instant: $0, error: late) } : nil
            ) { _, report in
                await perform(plan.key, on: loop, calls, delays, report)
            }.outcome
            return (outcome, loop.now)
        }
        let impatience =
            plan.hasDeadline
            ? nil
            : leavesAt.map { leavesAt in
                Task(executorPreference: loop) {
                    try await loop.sleep(until: leavesAt)
                    task.cancel()
                }
            }
        let (outcome, endedAt) = await task.value
        impatience?.cancel()
        return Caller(
            key: plan.key,
            cameAt: at(plan.comes),
            refresh: refresh,
            patience: plan.patience,
            hasDeadline: plan.hasDeadline,
            endedAt: endedAt,
            outcome: outcome
        )
    }

    /// A call that takes its own time; every third fails.
    private static func perform(
        _ key: Int,
        on loop: EventLoop,
        _ calls: Locked<[Call]>,
        _ delays: [(Duration, Duration)],
        _ report: CallReport
    ) async -> Result<Int, SearchError> {
        let number = calls.withLock { calls in
            calls.append(Call(number: calls.count, key: key, begunAt: loop.now))
            return calls.count - 1
        }
        do {
            try await loop.sleep(until: loop.now.advanced(by: delays[number].0))
            report(.sent)
            calls.withLock { $0[number].sentAt = loop.now }
            try await loop.sleep(until: loop.now.advanced(by: delays[number].1))
        } catch {
            calls.withLock { $0[number].wasCancelled = true }
            return .failure(.cancelled)
        }
        calls.withLock { $0[number].endedAt = loop.now }
        return number % 3 == 0
            ? .failure(SearchError(.unavailable, "\(number)")) : .success(number)
    }

    private static func check(_ caller: Caller, _ calls: [Call]) {
        if let kind = caller.outcome.failureKind, kind != .unavailable {
            #expect(kind == (caller.hasDeadline ? .timeout : .cancelled))
            #expect(caller.patience.map { caller.endedAt == caller.cameAt.advanced(by: $0) } == true)
            return
        }
        guard let number = (try? caller.outcome.get()) ?? caller.outcome.failure.flatMap({ Int($0.message) }) else {
            Issue.record("\(caller.outcome) is nobody's outcome")
            return
        }
        let call = calls[number]
        #expect(call.key == caller.key)
        #expect(call.endedAt == caller.endedAt)
        #expect(call.begunAt <= caller.endedAt && caller.cameAt <= caller.endedAt)
        if caller.refresh { #expect(call.sentAt.map { $0 >= caller.cameAt } == true) }
    }

    private static func checkThatNoneOverlap(_ calls: [Call]) {
        let finished = calls.filter { !$0.wasCancelled }
        for (call, next) in zip(finished, finished.dropFirst()) {
            #expect(call.endedAt.map { $0 <= next.begunAt } == true)
        }
    }
}
