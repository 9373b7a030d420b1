package import EventLoop
package import SearchModel

/// The first step of a call: joins identical calls, so that k callers with one key are one call, whatever its outcome.
///
/// The call is a job of its own, owned by this actor. A caller that is cancelled leaves within one turn and affects no
/// other. If all leave before `sent`, the job is cancelled; after it, the job completes for the cache. What the job
/// reports is passed on to every caller.
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

    private typealias Table = FlightTable<Key>

    private struct Waiter {
        let flight: Table.FlightID
        let slot: OutcomeSlot<Outcome>
        let report: CallReport?
        let timer: Timer?
    }

    private struct Job {
        let task: Task<Void, Never>
        let demand: CallDemand
        let timer: Timer
    }

    package nonisolated let loop: EventLoop
    /// How long a call may take, however long its callers would wait.
    private let callMax: Duration
    private var table: Table
    private var counted = FlightFigures()
    private var waiters: [Table.WaiterID: Waiter] = [:]
    private var jobs: [Table.FlightID: Job] = [:]

    /// At most `flightsMax` calls; `callMax` is longer than any caller waits: it only ends calls that hang.
    package init(on loop: EventLoop, flightsMax: Int, callMax: Duration = .seconds(130)) {
        self.loop = loop
        self.callMax = callMax
        table = FlightTable(flightsMax: flightsMax)
    }

    package var flightCount: Int { table.flightCount }
    package var waiterCount: Int { table.waiterCount }

    package var figures: FlightFigures {
        var figures = counted
        figures.flights = table.flightCount
        figures.waiters = table.waiterCount
        return figures
    }

    /// Whether a call for a key has been sent, so that joining it costs nothing.
    package func isSent(_ key: Key) -> Bool { table.isSent(key) }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: What the callers have in common.
    ///   - refresh: Takes no call that was sent before this one was asked for.
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
        let (flight, waiter, joined): (Table.FlightID, Table.WaiterID, Bool)
        switch table.join(key, refresh: refresh) {
        case .refused:
            counted.refused += 1
            return Shared(outcome: .failure(.crowded), joined: false)
        case .leads(let begun, let first):
            counted.led += 1
            (flight, waiter, joined) = (begun, first, false)
            start(flight, for: caller, call)
        case .follows(let found, let next):
            counted.joined += 1
            (flight, waiter, joined) = (found, next, true)
            report?(.joined)
        }
        let slot = wait(for: flight, as: waiter, caller, deadline, report)
        return Shared(outcome: await outcome(of: slot) { $0.leave(waiter, .cancelled) }, joined: joined)
    }

    /// Keeps a call wanted, if there is one for the key, until it ends or the deadline has come; no caller gets its
    /// outcome.
    package func keep(_ key: Key, for caller: CallDemand.Caller, until deadline: Instant) {
        guard table.isUnderWay(key),
            case .follows(let flight, let waiter) = table.join(key, refresh: false)
        else { return }
        _ = wait(for: flight, as: waiter, caller, Deadline(instant: deadline, error: .cancelled), nil)
    }

    private func wait(
        for flight: Table.FlightID,
        as waiter: Table.WaiterID,
        _ caller: CallDemand.Caller,
        _ deadline: Deadline?,
        _ report: CallReport?
    ) -> OutcomeSlot<Outcome> {
        jobs[flight]?.demand.join(caller, until: deadline?.instant, as: waiter.number)
        let slot = OutcomeSlot<Outcome>()
        let timer = deadline.map { deadline in
            schedule(at: deadline.instant) { $0.leave(waiter, deadline.error) }
        }
        waiters[waiter] = Waiter(flight: flight, slot: slot, report: report, timer: timer)
        return slot
    }

    /// Cancels every call, whose waiters get its outcome; for the end of the daemon.
    package func cancelAll() {
        for job in jobs.values { job.task.cancel() }
    }

    private func start(
        _ flight: Table.FlightID,
        for caller: CallDemand.Caller,
        _ call: @escaping @Sendable (CallDemand, @escaping CallReport) async -> Outcome
    ) {
        let cap = loop.now.advanced(by: callMax)
        let demand = CallDemand(for: caller, cap: cap)
        let task = Task(executorPreference: loop) {
            let outcome = await call(demand) { event in
                self.onLoop { $0.happened(event, to: flight) }
            }
            await self.finish(flight, outcome)
        }
        let timer = schedule(at: cap) { $0.expire(flight) }
        jobs[flight] = Job(task: task, demand: demand, timer: timer)
    }

    private func happened(_ event: CallEvent, to flight: Table.FlightID) {
        if case .sent = event { table.sent(flight) }
        for waiter in table.waiters(of: flight) { waiters[waiter]?.report?(event) }
    }

    /// A call has taken too long: its waiters get a timeout, and later callers begin a new one.
    private func expire(_ flight: Table.FlightID) {
        jobs[flight]?.task.cancel()
        let error = SearchError(
            .timeout,
            "the source had not answered after \(callMax)",
            retryable: true,
            hint: "Search again later."
        )
        finish(flight, .failure(error))
    }

    private func finish(_ flight: Table.FlightID, _ outcome: Outcome) {
        close(flight)
        for waiter in table.finished(flight) { end(waiter, outcome) }
    }

    @discardableResult
    private func close(_ flight: Table.FlightID) -> Job? {
        guard let job = jobs.removeValue(forKey: flight) else { return nil }
        loop.cancel(job.timer)
        return job
    }

    private func leave(_ waiter: Table.WaiterID, _ reason: SearchError) {
        if case .abandon(let flight) = table.left(waiter) {
            counted.abandoned += 1
            close(flight)?.task.cancel()
        }
        end(waiter, .failure(reason))
    }

    /// Resumes a waiter, once; nothing when it has left.
    private func end(_ id: Table.WaiterID, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        jobs[waiter.flight]?.demand.leave(id.number)
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
    /// Callers for whom a call was begun.
    package var led = 0
    /// Callers who found one under way.
    package var joined = 0
    /// Callers past the limits.
    package var refused = 0
    /// Calls that all callers had left before they were sent.
    package var abandoned = 0
}
