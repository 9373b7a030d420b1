package import EventLoop
package import SearchModel

/// The first step of a call: callers with the same key share one call, its events and its outcome.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable>: LoopActor {
    package typealias Outcome = Result<Value, SearchError>
    package typealias Call = @Sendable (CallDemand, @escaping CallReport) async -> Outcome

    package typealias Shared = (outcome: Outcome, joined: Bool)

    private struct Waiter {
        let flight: UInt64
        let caller: CallDemand.Caller
        let continuation: CheckedContinuation<Outcome, Never>?
        let report: CallReport?
        let timer: Timer
    }

    private struct Flight {
        let key: Key
        let task: Task<Void, Never>
        let demand: CallDemand
        var isSent = false
        var waiters: Set<UInt64> = []
    }

    package nonisolated let loop: EventLoop
    private let flightsMax: Int
    private var flights: [UInt64: Flight] = [:]
    private var waiters: [UInt64: Waiter] = [:]
    private var current: [Key: UInt64] = [:]
    private var lastNumber: UInt64 = 0

    package init(on loop: EventLoop, flightsMax: Int) {
        self.loop = loop
        self.flightsMax = flightsMax
    }

    package var flightCount: Int { flights.count }
    package var waiterCount: Int { waiters.count }

    package func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// Joins the call for a key, or starts one; if `refresh` is true, does not join a call that was already sent.
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
        return (outcome, joined)
    }

    /// Until the deadline, the current call for the key is not cancelled, even if all callers leave.
    package func keep(_ key: Key, for caller: CallDemand.Caller, until deadline: Instant) {
        guard let number = current[key] else { return }
        flights[number]?.demand.join(caller, until: deadline)
        let id = takeNumber()
        let timer = schedule(at: deadline) { $0.leave(id, .cancelled) }
        add(id, Waiter(flight: number, caller: caller, continuation: nil, report: nil, timer: timer))
    }

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

    /// Cancels an unsent call that has no waiters left; a sent call completes, because its page can be cached.
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
    package static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)

    fileprivate static let crowded = SearchError(
        .overloaded,
        "too many searches are waiting",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Try again in a second."
    )
}
