package import EventLoop
package import SearchModel

/// Shares calls in flight: k callers with one key are one call, whatever becomes of it.
///
/// The call is a job of its own, owned by this actor. A caller that is cancelled leaves within one turn and only itself
/// is gone; when all have left before `sent`, the job is cancelled; after it, the job finishes for the cache.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable>: LoopActor {
    package typealias Outcome = Result<Value, SearchError>

    /// What a caller got, and whether another had asked before it.
    package struct Shared: Sendable {
        package let outcome: Outcome
        package let joined: Bool
    }

    /// When a caller stops waiting, and what it then gets.
    package struct Deadline: Sendable {
        package let instant: Instant
        package let error: SearchError

        package init(_ instant: Instant, error: SearchError) {
            self.instant = instant
            self.error = error
        }
    }

    private typealias Table = FlightTable<Key>

    private struct Waiter {
        let flight: Table.FlightID
        let seat: OutcomeSlot<Outcome>
        let timer: Timer?
    }

    private struct Job {
        let task: Task<Void, Never>
        let ticket: CallTicket
        let timer: Timer
    }

    package nonisolated let loop: EventLoop
    /// How long a call may take, however long its callers would wait.
    private let callMax: Duration
    private var table: Table
    private var counted = FlightFigures()
    private var waiters: [Table.WaiterID: Waiter] = [:]
    private var jobs: [Table.FlightID: Job] = [:]

    /// - Parameters:
    ///   - loop: The actor's executor.
    ///   - flightsMax: How many calls may be under way.
    ///   - waitersMax: How many callers may wait for them.
    ///   - clientPart: One user may have one part in so many of both, and each of its programs one in so many of that, so
    ///     that none can keep all others out.
    ///   - callMax: How long a call may take; longer than any caller waits, so that it only ends what hangs.
    package init(
        on loop: EventLoop,
        flightsMax: Int,
        waitersMax: Int,
        clientPart: Int = 1,
        callMax: Duration = SearchRequest.timeoutMax + .seconds(10)
    ) {
        self.loop = loop
        self.callMax = callMax
        table = FlightTable(flightsMax: flightsMax, waitersMax: waitersMax, clientPart: clientPart)
    }

    package var flightCount: Int { table.flightCount }
    package var waiterCount: Int { table.waiterCount }

    package var figures: FlightFigures {
        var figures = counted
        figures.flights = table.flightCount
        figures.waiters = table.waiterCount
        return figures
    }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: What the callers have in common.
    ///   - refresh: Takes no call that was sent before this one was asked for.
    ///   - caller: On whose behalf.
    ///   - deadline: When this caller leaves; nil for a caller that is only ended by the call or its cancellation.
    ///   - call: Performs the call, which reports to its ticket.
    /// - Returns: The outcome that everyone who waited gets; `overloaded` past the limits; `cancelled` for a caller
    ///   whose task was cancelled.
    package func value(
        for key: Key,
        refresh: Bool,
        caller: CallTicket.Caller = CallTicket.Caller(),
        deadline: Deadline? = nil,
        call: @escaping @Sendable (CallTicket) async -> Outcome
    ) async -> Shared {
        switch table.join(key, refresh: refresh, for: caller.client) {
        case .refused:
            counted.refused += 1
            let error = SearchError(
                .overloaded,
                "too many searches are waiting",
                retryable: true,
                retryAfter: .seconds(1),
                hint: "Try again in a second."
            )
            return Shared(outcome: .failure(error), joined: false)
        case .leads(let flight, let waiter):
            counted.led += 1
            start(flight, for: caller, call)
            let seat = seat(waiter, in: flight, for: caller, until: deadline)
            return Shared(outcome: await outcome(for: waiter, in: seat), joined: false)
        case .follows(let flight, let waiter):
            counted.joined += 1
            caller.tell?(.joined)
            let seat = seat(waiter, in: flight, for: caller, until: deadline)
            return Shared(outcome: await outcome(for: waiter, in: seat), joined: true)
        }
    }

    /// Ends every call and answers every waiter; for the end of the daemon.
    package func cancelAll() {
        for job in jobs.values { job.task.cancel() }
    }

    private func start(
        _ flight: Table.FlightID,
        for caller: CallTicket.Caller,
        _ call: @escaping @Sendable (CallTicket) async -> Outcome
    ) {
        let cap = loop.now.advanced(by: callMax)
        let ticket = CallTicket(for: caller, cap: cap) { [self] in
            // Fetch reports from the loop's thread.
            onLoop { $0.table.sent(flight) }
        }
        let task = Task(executorPreference: loop) {
            let outcome = await call(ticket)
            await self.finish(flight, outcome)
        }
        let timer = schedule(at: cap) { $0.expire(flight) }
        jobs[flight] = Job(task: task, ticket: ticket, timer: timer)
    }

    /// A call has taken too long: whoever still waits is told so, and later callers begin a new one.
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

    /// Gives a caller its place among those who wait for a call.
    private func seat(
        _ waiter: Table.WaiterID,
        in flight: Table.FlightID,
        for caller: CallTicket.Caller,
        until deadline: Deadline?
    ) -> OutcomeSlot<Outcome> {
        jobs[flight]?.ticket.join(caller, until: deadline?.instant, as: waiter.number)
        let seat = OutcomeSlot<Outcome>()
        waiters[waiter] = Waiter(flight: flight, seat: seat, timer: deadline.map { schedule(waiter, $0) })
        return seat
    }

    private func outcome(for waiter: Table.WaiterID, in seat: OutcomeSlot<Outcome>) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                seat.wait(continuation)
                if Task.isCancelled { leave(waiter, .cancelled) }
            }
        } onCancel: {
            performLater { $0.leave(waiter, .cancelled) }
        }
    }

    private func schedule(_ waiter: Table.WaiterID, _ deadline: Deadline) -> Timer {
        loop.schedule(at: deadline.instant) {
            self.onLoop { $0.leave(waiter, deadline.error) }
        }
    }

    private func leave(_ waiter: Table.WaiterID, _ reason: SearchError) {
        if case .abandon(let flight) = table.left(waiter) {
            counted.abandoned += 1
            close(flight)?.task.cancel()
        }
        end(waiter, .failure(reason))
    }

    /// Resumes a waiter, once; nothing when it has gone.
    private func end(_ id: Table.WaiterID, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        jobs[waiter.flight]?.ticket.leave(id.number)
        if let timer = waiter.timer { loop.cancel(timer) }
        waiter.seat.end(outcome)
    }
}

extension SearchError {
    /// For a caller that has left.
    static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)
}
