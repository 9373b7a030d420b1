package import EventLoop
package import SearchModel

/// The first step of a call: callers with the same key share one call and its outcome.
///
/// Each call is a separate task, owned by this actor. A cancelled caller leaves within one turn and does not affect the
/// others. If all leave before the event `sent`, the task is cancelled. If they leave after it, the task completes for
/// the cache. Every caller receives the events of the call.
///
/// Invariant: every waiter belongs to exactly one flight. `current` has, for each key, the flight that new callers
/// join. There are at most `flightsMax` flights.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable>: LoopActor {
    package typealias Outcome = Result<Value, SearchError>
    package typealias Call = @Sendable (CallDemand, @escaping CallReport) async -> Outcome

    /// The outcome that a caller gets, and whether it joined the call of another caller.
    package struct Shared: Sendable {
        package let outcome: Outcome
        package let joined: Bool
    }

    private struct Waiter {
        let flight: UInt64
        let caller: CallDemand.Caller
        /// Nil for a waiter that only keeps the call alive.
        let continuation: CheckedContinuation<Outcome, Never>?
        let report: CallReport?
        let timer: Timer
    }

    private struct Flight {
        let key: Key
        let task: Task<Void, Never>
        let demand: CallDemand
        /// Whether the request was sent; after that the call is charged, and it completes even if all callers leave.
        var isSent = false
        var waiters: Set<UInt64> = []
    }

    package nonisolated let loop: EventLoop
    private let flightsMax: Int
    private var flights: [UInt64: Flight] = [:]
    private var waiters: [UInt64: Waiter] = [:]
    private var current: [Key: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    /// Creates an actor with at most `flightsMax` calls in flight.
    package init(on loop: EventLoop, flightsMax: Int) {
        self.loop = loop
        self.flightsMax = flightsMax
    }

    package var flightCount: Int { flights.count }
    /// The number of waiting callers.
    package var waiterCount: Int { waiters.count }

    /// Returns whether a call for a key has been sent, so that joining it costs nothing.
    package func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: The key that identical calls share.
    ///   - refresh: Whether to start a new call if the present one has already been sent; later callers join the new
    ///     call.
    ///   - caller: The caller.
    ///   - deadline: When this caller stops waiting.
    ///   - late: The error that the caller gets at the deadline.
    ///   - report: Called with the call's events while this caller waits.
    ///   - call: Performs the call, and reports its events on the loop.
    /// - Returns: The outcome, which is the same for every waiter; `overloaded` if there are too many calls;
    ///   `cancelled` if the caller's task was cancelled.
    package func value(
        for key: Key,
        refresh: Bool,
        caller: CallDemand.Caller,
        until deadline: Instant,
        late: SearchError,
        report: CallReport? = nil,
        call: @escaping Call
    ) async -> Shared {
        let id = takeNumber()
        var joined = false
        let outcome: Outcome = await suspend { continuation in
            let number: UInt64
            if let found = current[key], !refresh || flights[found]?.isSent == false {
                (number, joined) = (found, true)
                report?(.joined)
                flights[found]?.demand.join(caller, until: deadline)
            } else if flights.count < flightsMax {
                number = start(key, CallDemand(for: caller, until: deadline), call)
            } else {
                return continuation.resume(returning: .failure(.crowded))
            }
            let timer = schedule(at: deadline) { $0.leave(id, late) }
            add(id, Waiter(flight: number, caller: caller, continuation: continuation, report: report, timer: timer))
        } whenCancelled: {
            $0.leave(id, .cancelled)
        }
        return Shared(outcome: outcome, joined: joined)
    }

    /// Prevents the call for a key, if any, from being cancelled until it ends or the deadline passes.
    ///
    /// Returns at once, without the outcome.
    package func keep(_ key: Key, for caller: CallDemand.Caller, until deadline: Instant) {
        guard let number = current[key] else { return }
        flights[number]?.demand.join(caller, until: deadline)
        let id = takeNumber()
        let timer = schedule(at: deadline) { $0.leave(id, .cancelled) }
        add(id, Waiter(flight: number, caller: caller, continuation: nil, report: nil, timer: timer))
    }

    /// Cancels every call, for shutdown; the waiters get the outcomes.
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

    private func add(_ id: UInt64, _ waiter: Waiter) {
        waiters[id] = waiter
        flights[waiter.flight]?.waiters.insert(id)
    }

    private func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func pass(_ event: CallEvent, toWaitersOf number: UInt64) {
        if case .sent = event { flights[number]?.isSent = true }
        for id in flights[number]?.waiters ?? [] { waiters[id]?.report?(event) }
    }

    private func finish(_ number: UInt64, _ outcome: Outcome) {
        for id in remove(number)?.waiters ?? [] { end(id, outcome) }
    }

    private func remove(_ number: UInt64) -> Flight? {
        guard let flight = flights.removeValue(forKey: number) else { return nil }
        if current[flight.key] == number { current[flight.key] = nil }
        return flight
    }

    /// Ends a waiter with an error; does nothing if the waiter already has an outcome.
    private func leave(_ id: UInt64, _ reason: SearchError) {
        guard let waiter = end(id, .failure(reason)) else { return }
        flights[waiter.flight]?.waiters.remove(id)
        guard let flight = flights[waiter.flight] else { return }
        flight.demand.leave(waiter.caller)
        if flight.waiters.isEmpty, !flight.isSent { remove(waiter.flight)?.task.cancel() }
    }

    @discardableResult
    private func end(_ id: UInt64, _ outcome: Outcome) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        loop.cancel(waiter.timer)
        waiter.continuation?.resume(returning: outcome)
        return waiter
    }
}

extension SearchError {
    /// The outcome for a caller that has stopped waiting.
    package static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)

    fileprivate static let crowded = SearchError(
        .overloaded,
        "too many searches are waiting",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Try again in a second."
    )
}
