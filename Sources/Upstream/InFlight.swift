package import EventLoop
package import SearchModel

/// The first step of a call: joins identical calls, so that k callers with one key are one call, whatever its outcome.
///
/// The call is a job of its own, owned by this actor. A caller that is cancelled leaves within one turn and affects no
/// other. If all leave before `sent`, the job is cancelled; after it, the job completes for the cache. What the job
/// reports is passed on to every caller.
///
/// Invariant: every waiter is in exactly one flight; `current` names the one flight of a key that newcomers join; at
/// most `flightsMax` flights.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable>: LoopActor {
    package typealias Outcome = Result<Value, SearchError>

    /// What a caller got, and whether another had asked before it.
    package struct Shared: Sendable {
        package let outcome: Outcome
        package let joined: Bool
    }

    /// When a caller stops waiting, and what it then gets.
    package struct Deadline: Sendable {
        let instant: Instant
        let error: SearchError

        package init(instant: Instant, error: SearchError) {
            self.instant = instant
            self.error = error
        }
    }

    private struct Waiter {
        let caller: CallDemand.Caller
        let slot: OutcomeSlot<Outcome>
        let report: CallReport?
        let timer: Timer?
    }

    private struct Flight {
        let key: Key
        let task: Task<Void, Never>
        let demand: CallDemand
        let timer: Timer
        /// The request is written: it is paid for, and completes even if all callers leave.
        var isSent = false
        var waiters: [UInt64: Waiter] = [:]
    }

    package nonisolated let loop: EventLoop
    private let flightsMax: Int
    /// How long a call may take, however long its callers would wait.
    private let callMax: Duration
    private var flights: [UInt64: Flight] = [:]
    private var current: [Key: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    private var counted = FlightFigures()

    /// At most `flightsMax` calls; `callMax` is longer than any caller waits: it only ends calls that hang.
    package init(on loop: EventLoop, flightsMax: Int, callMax: Duration = .seconds(130)) {
        self.loop = loop
        self.flightsMax = flightsMax
        self.callMax = callMax
    }

    package var flightCount: Int { flights.count }
    package var waiterCount: Int { flights.values.reduce(0) { $0 + $1.waiters.count } }

    package var figures: FlightFigures {
        var figures = counted
        figures.flights = flightCount
        figures.waiters = waiterCount
        return figures
    }

    /// Whether a call for a key has been sent, so that joining it costs nothing.
    package func isSent(_ key: Key) -> Bool {
        current[key].map { flights[$0]?.isSent == true } ?? false
    }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: What the callers have in common.
    ///   - refresh: Takes no call that was sent before this one was asked for; later callers join the new one.
    ///   - caller: On whose behalf.
    ///   - deadline: When this caller leaves; nil for a caller that is only ended by the call or its cancellation.
    ///   - report: Takes what happens to the call while this caller waits.
    ///   - call: Performs the call, and reports on the loop what happens to it.
    /// - Returns: The outcome that every waiter gets; `overloaded` past the limits; `cancelled` for a caller whose task
    ///   was cancelled.
    package func value(
        for key: Key,
        refresh: Bool,
        caller: CallDemand.Caller = CallDemand.Caller(),
        deadline: Deadline? = nil,
        report: CallReport? = nil,
        call: @escaping @Sendable (CallDemand, @escaping CallReport) async -> Outcome
    ) async -> Shared {
        let (number, joined): (UInt64, Bool)
        if let found = current[key], !refresh || flights[found]?.isSent == false {
            counted.joined += 1
            (number, joined) = (found, true)
            report?(.joined)
        } else if flights.count < flightsMax {
            counted.led += 1
            (number, joined) = (start(key, for: caller, call), false)
        } else {
            counted.refused += 1
            return Shared(outcome: .failure(.crowded), joined: false)
        }
        let (waiter, slot) = wait(for: number, caller, deadline, report)
        let outcome = await outcome(of: slot) { $0.leave(number, waiter, .cancelled) }
        return Shared(outcome: outcome, joined: joined)
    }

    /// Keeps a call wanted, if there is one for the key, until it ends or the deadline has come; no caller gets its
    /// outcome.
    package func keep(_ key: Key, for caller: CallDemand.Caller, until deadline: Instant) {
        guard let number = current[key] else { return }
        _ = wait(for: number, caller, Deadline(instant: deadline, error: .cancelled), nil)
    }

    /// Cancels every call, whose waiters get its outcome; for the end of the daemon.
    package func cancelAll() {
        for flight in flights.values { flight.task.cancel() }
    }

    private func wait(
        for number: UInt64,
        _ caller: CallDemand.Caller,
        _ deadline: Deadline?,
        _ report: CallReport?
    ) -> (waiter: UInt64, slot: OutcomeSlot<Outcome>) {
        let (waiter, slot) = (takeNumber(), OutcomeSlot<Outcome>())
        let timer = deadline.map { deadline in
            schedule(at: deadline.instant) { $0.leave(number, waiter, deadline.error) }
        }
        flights[number]?.waiters[waiter] = Waiter(caller: caller, slot: slot, report: report, timer: timer)
        flights[number]?.demand.join(caller, until: deadline?.instant)
        return (waiter, slot)
    }

    private func start(
        _ key: Key,
        for caller: CallDemand.Caller,
        _ call: @escaping @Sendable (CallDemand, @escaping CallReport) async -> Outcome
    ) -> UInt64 {
        let number = takeNumber()
        let cap = loop.now.advanced(by: callMax)
        let demand = CallDemand(for: caller, cap: cap)
        let task = Task(executorPreference: loop) {
            let outcome = await call(demand) { event in
                self.onLoop { $0.pass(event, toWaitersOf: number) }
            }
            await self.finish(number, outcome)
        }
        let timer = schedule(at: cap) { $0.expire(number) }
        flights[number] = Flight(key: key, task: task, demand: demand, timer: timer)
        current[key] = number
        return number
    }

    private func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    private func pass(_ event: CallEvent, toWaitersOf number: UInt64) {
        if case .sent = event { flights[number]?.isSent = true }
        for waiter in (flights[number]?.waiters ?? [:]).values { waiter.report?(event) }
    }

    /// A call has taken too long: its waiters get a timeout, and later callers start a new one.
    private func expire(_ number: UInt64) {
        flights[number]?.task.cancel()
        let error = SearchError(
            .timeout,
            "the source had not answered after \(callMax)",
            retryable: true,
            hint: "Search again later."
        )
        finish(number, .failure(error))
    }

    private func finish(_ number: UInt64, _ outcome: Outcome) {
        for waiter in (remove(number)?.waiters ?? [:]).values { end(waiter, outcome) }
    }

    private func remove(_ number: UInt64) -> Flight? {
        guard let flight = flights.removeValue(forKey: number) else { return nil }
        if current[flight.key] == number { current[flight.key] = nil }
        loop.cancel(flight.timer)
        return flight
    }

    /// Nothing when the waiter has its outcome already.
    private func leave(_ number: UInt64, _ id: UInt64, _ reason: SearchError) {
        guard let waiter = flights[number]?.waiters.removeValue(forKey: id), let flight = flights[number] else { return }
        flight.demand.leave(waiter.caller)
        if !flight.demand.isWanted, !flight.isSent {
            counted.abandoned += 1
            remove(number)?.task.cancel()
        }
        end(waiter, .failure(reason))
    }

    private func end(_ waiter: Waiter, _ outcome: Outcome) {
        if let timer = waiter.timer { loop.cancel(timer) }
        waiter.slot.end(outcome)
    }
}

extension SearchError {
    /// For a caller that has left.
    package static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)

    fileprivate static let crowded = SearchError(
        .overloaded,
        "too many searches are waiting",
        retryable: true,
        retryAfter: .seconds(1),
        hint: "Try again in a second."
    )
}

/// What became of the callers of shared calls; exact.
package struct FlightFigures: Equatable, Sendable {
    /// Calls under way and callers who wait for them, now.
    package var flights = 0
    package var waiters = 0
    /// Callers for whom a call was started.
    package var led = 0
    /// Callers who joined a call under way.
    package var joined = 0
    /// Callers past the limits.
    package var refused = 0
    /// Calls that all callers had left before they were sent.
    package var abandoned = 0
}
