import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Upstream

/// Sharing at work under every order of what its callers and calls may do.
struct FlightInterleavingTests {
    /// A call that goes out and ends when a history says so.
    private struct Call {
        let report: CallReport
        var wasCancelled = false
        var continuation: CheckedContinuation<Result<Int, SearchError>, Never>?
    }

    private typealias Histories = FlightHistories
    private typealias Calls = Locked<[Call]>

    /// One step takes a millisecond of virtual time, so that what ends at its step has not waited for anything else.
    private static let step = Duration.milliseconds(1)

    @Test func `whoever leaves when and how, all others get their call's outcome as it ends`() throws {
        var histories: [Histories.History] = []
        #expect(Histories.visitAll(callers: 5, refreshes: 0) { histories.append($0) } == 3446)
        #expect(histories.count == 3446)
        try Self.play(histories)
    }

    @Test func `so they do after every step that five callers can come to, whoever insists on a new call`() throws {
        var histories: [Histories.History] = []
        // One way to each state and every step from there, instead of each of so many histories.
        #expect(Histories.visitSteps(callers: 5, refreshes: 5) { histories.append($0) } == 161_531_086)
        proved("\(histories.count) histories of sharing take every step of 161531086")
        try Self.play(histories)
    }

    @Test func `so they do in all histories of three callers, and in any of five`() throws {
        var histories: [Histories.History] = []
        #expect(Histories.visitAll(callers: 3, refreshes: 3) { histories.append($0) } == 9050)
        var random = SeededGenerator(seed: testSeed())
        let count = testSize(2000, "SEARCHD_TEST_HISTORIES")
        for _ in 0..<count { histories.append(Histories.random(callers: 5, using: &random)) }
        try Self.play(histories)
        proved("\(count) random histories of sharing by five callers")
    }

    private static func play(_ histories: [Histories.History]) throws {
        try virtually { loop, _ in
            var broken = 0
            for (number, history) in histories.enumerated() where broken < 3 {
                if let problem = await play(history, number, on: loop) {
                    broken += 1
                    Issue.record("\(problem): \(history.events)")
                }
            }
        }
    }

    /// Plays a history; what came of it otherwise than it should.
    ///
    /// Whether those who leave are cancelled or reach their deadlines differs from history to history.
    private static func play(_ history: Histories.History, _ number: Int, on loop: EventLoop) async -> String? {
        let start = loop.now.advanced(by: step)
        let calls = Calls([])
        let sharing = InFlight<Int, Int>(on: loop, flightsMax: 5)
        var callers: [Task<(Result<Int, SearchError>, Instant), Never>] = []
        for (place, event) in history.events.enumerated() {
            try? await loop.sleep(until: start.advanced(by: step * place))
            switch event {
            case .join(let refresh):
                var deadline: InFlight<Int, Int>.Deadline?
                if isLate(callers.count, number), case .left(let leaves) = history.endings[callers.count] {
                    let error = SearchError(.timeout, "late")
                    deadline = InFlight.Deadline(instant: start.advanced(by: step * leaves), error: error)
                }
                callers.append(
                    Task(executorPreference: loop) { [deadline] in
                        let shared = await sharing.value(for: 1, refresh: refresh, deadline: deadline) { _, report in
                            await perform(calls, report)
                        }
                        return (shared.outcome, loop.now)
                    }
                )
            case .leave(let caller): if !isLate(caller, number) { callers[caller].cancel() }
            case .send(let call): calls.withLock { $0[call].report }(.sent)
            case .finish(let call): resume(call, calls, with: outcome(of: call, number))
            }
        }
        for (caller, task) in callers.enumerated() {
            let (outcome, endedAt) = await task.value
            let isRight =
                switch history.endings[caller] {
                case .left(let place):
                    outcome.failureKind == (isLate(caller, number) ? .timeout : .cancelled)
                        && endedAt == start.advanced(by: step * place)
                case .answered(let call, let place):
                    outcome == Self.outcome(of: call, number) && endedAt == start.advanced(by: step * place)
                case nil: false
                }
            if !isRight { return "caller \(caller) ended with \(outcome)" }
        }
        // The last event may have been a call's end that nobody waited for.
        try? await loop.sleep(until: loop.now.advanced(by: step))
        let figures = await sharing.figures
        if figures.flights != 0 || figures.waiters != 0 { return "\(figures) is left" }
        let cancelled = calls.withLock { $0.map(\.wasCancelled) }
        return cancelled == history.abandoned ? nil : "of the calls \(cancelled) were ended"
    }

    private static func isLate(_ caller: Int, _ history: Int) -> Bool {
        (caller + history).isMultiple(of: 2)
    }

    /// Calls fail and succeed in turn.
    private static func outcome(of call: Int, _ history: Int) -> Result<Int, SearchError> {
        (call + history / 2).isMultiple(of: 2) ? .success(call) : .failure(SearchError(.unavailable, "\(call)"))
    }

    private static func perform(_ calls: Calls, _ report: @escaping CallReport) async -> Result<Int, SearchError> {
        let number = calls.withLock { calls in
            calls.append(Call(report: report))
            return calls.count - 1
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in calls.withLock { $0[number].continuation = continuation } }
        } onCancel: {
            calls.withLock { $0[number].wasCancelled = true }
            resume(number, calls, with: .failure(.cancelled))
        }
    }

    private static func resume(_ call: Int, _ calls: Calls, with outcome: Result<Int, SearchError>) {
        let continuation = calls.withLock { calls in
            defer { calls[call].continuation = nil }
            return calls[call].continuation
        }
        continuation?.resume(returning: outcome)
    }
}
