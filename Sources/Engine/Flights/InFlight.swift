package import EventLoop
package import SearchModel

/// Shares calls in flight: k callers with one key are one call, whatever becomes of it.
///
/// The call is a job of its own, owned by this actor. A caller that is cancelled leaves within one turn and only itself
/// is gone; when all have left before `sent`, the job is cancelled; after it, the job finishes for the cache.
package actor InFlight<Key: Hashable & Sendable, Value: Sendable> {
    package typealias Outcome = Result<Value, SearchError>

    /// What a caller got, and whether another had asked before it.
    package struct Shared: Sendable {
        package let outcome: Outcome
        package let joined: Bool
    }

    private typealias Table = FlightTable<Key>

    private let loop: EventLoop
    private var table: Table
    private var continuations: [Table.WaiterID: CheckedContinuation<Outcome, Never>] = [:]
    private var jobs: [Table.FlightID: Task<Void, Never>] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The loop outlives the actors that hold it.
        unsafe loop.asUnownedSerialExecutor()
    }

    package init(on loop: EventLoop, flightsMax: Int, waitersMax: Int) {
        self.loop = loop
        table = FlightTable(flightsMax: flightsMax, waitersMax: waitersMax)
    }

    package var flightCount: Int { table.flightCount }
    package var waiterCount: Int { table.waiterCount }

    /// Joins the call for a key, or starts it.
    ///
    /// - Parameters:
    ///   - key: What the callers have in common.
    ///   - refresh: Starts a new call even when one is under way.
    ///   - call: Performs the call; it reports through its argument the moment from which it is paid for.
    /// - Returns: The outcome that everyone who waited gets; `overloaded` past the limits; `cancelled` for a caller
    ///   whose task was cancelled.
    package func value(
        for key: Key,
        refresh: Bool,
        call: @escaping @Sendable (_ sent: @escaping @Sendable () -> Void) async -> Outcome
    ) async -> Shared {
        switch table.join(key, refresh: refresh) {
        case .refused:
            let error = SearchError(
                .overloaded,
                "too many searches are waiting",
                retryable: true,
                retryAfter: .seconds(1),
                hint: "Try again in a second."
            )
            return Shared(outcome: .failure(error), joined: false)
        case .leads(let flight, let waiter):
            start(flight, call)
            return Shared(outcome: await outcome(for: waiter), joined: false)
        case .follows(_, let waiter):
            return Shared(outcome: await outcome(for: waiter), joined: true)
        }
    }

    /// Ends every call and answers every waiter; for the end of the daemon.
    package func cancelAll() {
        for job in jobs.values { job.cancel() }
    }

    private func start(
        _ flight: Table.FlightID,
        _ call: @escaping @Sendable (_ sent: @escaping @Sendable () -> Void) async -> Outcome
    ) {
        jobs[flight] = Task(executorPreference: loop) {
            let outcome = await call { [self] in
                // Fetch reports from the loop's thread.
                assumeIsolated { $0.table.sent(flight) }
            }
            await self.finish(flight, outcome)
        }
    }

    private func finish(_ flight: Table.FlightID, _ outcome: Outcome) {
        jobs[flight] = nil
        for waiter in table.finished(flight) { continuations.removeValue(forKey: waiter)?.resume(returning: outcome) }
    }

    private func outcome(for waiter: Table.WaiterID) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The cancellation may have come before there was anything to resume.
                if Task.isCancelled {
                    leave(waiter)
                    continuation.resume(returning: .failure(.cancelled))
                } else {
                    continuations[waiter] = continuation
                }
            }
        } onCancel: {
            loop.perform { self.assumeIsolated { $0.leave(waiter) } }
        }
    }

    private func leave(_ waiter: Table.WaiterID) {
        if case .abandon(let flight) = table.left(waiter) { jobs.removeValue(forKey: flight)?.cancel() }
        continuations.removeValue(forKey: waiter)?.resume(returning: .failure(.cancelled))
    }
}

extension SearchError {
    /// For a caller that has left.
    static let cancelled = SearchError(.cancelled, "the request was cancelled", retryable: false)
}
