package import EventLoop
package import SearchModel

/// The first step of a call: joins identical calls. Callers with the same key share one call and its outcome.
///
/// Each call is a separate task, owned by this actor. A cancelled caller leaves within one turn and does not affect the
/// others. If all leave before `sent`, the task is cancelled. If they leave after it, the task completes for the cache.
/// Every caller gets the task's reports.
///
/// Invariant: every waiter is in exactly one flight; `current` has the one flight of each key that new callers join;
/// there are at most `flightsMax` flights.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable>: LoopActor {
    package typealias Outcome = Result<Value, SearchError>
    package typealias Call = @Sendable (CallDemand, @escaping CallReport) async -> Outcome

    /// The outcome for a caller, and whether the caller joined a call.
    package struct Shared: Sendable {
        package let outcome: Outcome
        package let joined: Bool
    }

    private struct Waiter {
        let caller: CallDemand.Caller
        let slot: OutcomeSlot<Outcome>
        let report: CallReport?
        let timer: Timer
    }

    private struct Flight {
        let key: Key
        let task: Task<Void, Never>
        let demand: CallDemand
        /// The request is written: the call counts, and it completes even if all callers leave.
        var isSent = false
        var waiters: [UInt64: Waiter] = [:]
    }

    package nonisolated let loop: EventLoop
    private let flightsMax: Int
    private var flights: [UInt64: Flight] = [:]
    private var current: [Key: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    /// At most `flightsMax` calls.
    package init(on loop: EventLoop, flightsMax: Int) {
        self.loop = loop
        self.flightsMax = flightsMax
    }

    package var flightCount: Int { flights.count }
    /// How many callers wait.
    package var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

    /// Whether a call for a key has been sent, so that joining it costs nothing.
    package func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: Identifies identical calls.
    ///   - refresh: Never joins a call that was sent before this one was requested; later callers join the new call.
    ///   - caller: The caller.
    ///   - deadline: When this caller leaves.
    ///   - late: The error that the caller gets at the deadline.
    ///   - report: Gets the call's events while this caller waits.
    ///   - call: Performs the call, and reports its events on the loop.
    /// - Returns: The outcome, the same for every waiter; `overloaded` over the limit; `cancelled` if the caller's task
    ///   was cancelled.
    package func value(
        for key: Key,
        refresh: Bool,
        caller: CallDemand.Caller,
        until deadline: Instant,
        late: SearchError,
        report: CallReport? = nil,
        call: @escaping Call
    ) async -> Shared {
        let found = current[key].flatMap { !refresh || flights[$0]?.isSent == false ? $0 : nil }
        let number: UInt64
        if let found {
            number = found
            report?(.joined)
            flights[found]?.demand.join(caller, until: deadline)
        } else if flights.count < flightsMax {
            number = start(key, CallDemand(for: caller, until: deadline), call)
        } else {
            return Shared(outcome: .failure(.crowded), joined: false)
        }
        let (waiter, slot) = addWaiter(to: number, caller, deadline, late, report)
        let outcome = await outcome(of: slot) { $0.leave(number, waiter, .cancelled) }
        return Shared(outcome: outcome, joined: found != nil)
    }

    /// Keeps the call for the key, if any, from being cancelled until it ends or the deadline passes.
    ///
    /// This does not return the outcome.
    package func keep(_ key: Key, for caller: CallDemand.Caller, until deadline: Instant) {
        guard let number = current[key] else { return }
        flights[number]?.demand.join(caller, until: deadline)
        _ = addWaiter(to: number, caller, deadline, .cancelled, nil)
    }

    /// Cancels every call at shutdown; the waiters get the outcome.
    package func cancelAll() {
        for flight in flights.values { flight.task.cancel() }
    }

    private func start(_ key: Key, _ demand: CallDemand, _ call: @escaping Call) -> UInt64 {
        let number = takeNumber()
        let task = Task(executorPreference: loop) {
            let outcome = await call(demand) { event in
                self.onLoop { $0.pass(event, toWaitersOf: number) }
            }
            await self.finish(number, outcome)
        }
        flights[number] = Flight(key: key, task: task, demand: demand)
        current[key] = number
        return number
    }

    private func addWaiter(
        to number: UInt64,
        _ caller: CallDemand.Caller,
        _ deadline: Instant,
        _ late: SearchError,
        _ report: CallReport?
    ) -> (waiter: UInt64, slot: OutcomeSlot<Outcome>) {
        let (waiter, slot) = (takeNumber(), OutcomeSlot<Outcome>())
        let timer = schedule(at: deadline) { $0.leave(number, waiter, late) }
        flights[number]?.waiters[waiter] = Waiter(caller: caller, slot: slot, report: report, timer: timer)
        return (waiter, slot)
    }

    private func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func pass(_ event: CallEvent, toWaitersOf number: UInt64) {
        if case .sent = event { flights[number]?.isSent = true }
        for waiter in (flights[number]?.waiters ?? [:]).values { waiter.report?(event) }
    }

    private func finish(_ number: UInt64, _ outcome: Outcome) {
        for waiter in (remove(number)?.waiters ?? [:]).values { end(waiter, outcome) }
    }

    private func remove(_ number: UInt64) -> Flight? {
        guard let flight = flights.removeValue(forKey: number) else { return nil }
        if current[flight.key] == number { current[flight.key] = nil }
        return flight
    }

    /// Does nothing if the waiter already has its outcome.
    private func leave(_ number: UInt64, _ id: UInt64, _ reason: SearchError) {
        guard let waiter = flights[number]?.waiters.removeValue(forKey: id), let flight = flights[number]
        else { return }
        flight.demand.leave(waiter.caller)
        if !flight.demand.isWanted, !flight.isSent { remove(number)?.task.cancel() }
        end(waiter, .failure(reason))
    }

    private func end(_ waiter: Waiter, _ outcome: Outcome) {
        loop.cancel(waiter.timer)
        waiter.slot.end(outcome)
    }
}

extension SearchError {
    /// The outcome for a caller that has left.
    package static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)

    fileprivate static let crowded = SearchError(
        .overloaded,
        "too many searches are waiting",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Try again in a second."
    )
}
