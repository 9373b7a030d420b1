package import EventLoop
package import RPC
package import SearchModel

/// Lets upstream calls begin in a fair order: a `FairQueue` for each source, and the waiting.
///
/// A call waits in the name of every client that waits for it, as urgently as they do. One whose task is cancelled
/// while it waits leaves the queue within one turn.
package actor RequestThrottle: LoopActor {
    /// A call that may begin, until `leave`.
    package struct Permit: Hashable, Sendable {
        let source: SourceName
        let call: FairQueue.CallID
    }

    private typealias Outcome = Result<Void, SearchError>

    private struct Waiter {
        let demand: CallDemand
        let slot = OutcomeSlot<Outcome>()
    }

    /// The slots of a source that says nothing of its concurrency.
    package static let slotsDefault = 8

    package nonisolated let loop: EventLoop
    private let limits: FairQueue.Limits
    private let slots: @Sendable (SourceName) -> Int?
    private var queues: [SourceName: FairQueue] = [:]
    private var waiters: [Permit: Waiter] = [:]
    /// How many calls had to wait here, by what for; one that waits on is counted as often as it is reported.
    package private(set) var waits: [WaitReason: Int] = [:]

    /// `slots`, asked for every call, is how many calls to a source may be under way; nil where nothing is known.
    package init(on loop: EventLoop, slots: @escaping @Sendable (SourceName) -> Int?) {
        self.init(on: loop, limits: FairQueue.Limits(), slots: slots)
    }

    init(on loop: EventLoop, limits: FairQueue.Limits, slots: @escaping @Sendable (SourceName) -> Int?) {
        self.loop = loop
        self.limits = limits
        self.slots = slots
    }

    /// How many calls wait, and how many are under way, over all sources.
    package var figures: (waiting: Int, running: Int) {
        queues.values.reduce((0, 0)) { ($0.0 + $1.waitingCount, $0.1 + $1.runningCount) }
    }

    /// Waits until a call to a source may begin; the call's permit, to be returned by `leave`.
    ///
    /// Throws `overloaded` or `rateLimited` with `retryAfter` when it can't begin before its deadline, and `cancelled`
    /// when its task was cancelled.
    package func enter(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Permit {
        if Task.isCancelled { throw .cancelled }
        let permit = try arrive(source, demand)
        guard let slot = waiters[permit]?.slot else { return permit }
        wait(permit, demand, report)
        try await outcome(of: slot) { $0.cancel(permit) }.get()
        return permit
    }

    /// A call has come to its end.
    package func leave(_ permit: Permit) {
        queues[permit.source]?.ended(permit.call, now: loop.now)
        startNext(of: permit.source)
    }

    /// Something happened to a call that has its permit.
    package func happened(_ event: CallEvent, to permit: Permit) {
        switch event {
        case .admitted, .sent:
            queues[permit.source]?.passed(permit.call, now: loop.now)
            startNext(of: permit.source)
        case .queued(_, let wait):
            queues[permit.source]?.held(permit.call, until: loop.now.advanced(by: wait))
        case .retrying: queues[permit.source]?.repeated(permit.call)
        case .joined, .answered, .breaker: break
        }
    }

    /// Puts a call in the queue; it waits if it is in `waiters` afterwards.
    private func arrive(_ source: SourceName, _ demand: CallDemand) throws(SearchError) -> Permit {
        let slots = max(1, slots(source) ?? Self.slotsDefault)
        if queues[source] == nil { queues[source] = FairQueue(slots: slots, limits: limits) }
        queues[source]?.slots = slots
        switch queues[source]?.arrived(demand.claims, by: demand.deadline, now: loop.now) {
        case nil: preconditionFailure("the queue was made above")
        case .refused(let reason, let retryAfter): throw Self.refusal(source, reason, retryAfter)
        case .waits(let call, let evicted):
            let permit = Permit(source: source, call: call)
            waiters[permit] = Waiter(demand: demand)
            if let evicted {
                let retryAfter = FairQueue.retryAfterDefault
                end(Permit(source: source, call: evicted), .failure(Self.refusal(source, .load, retryAfter)))
            }
            startNext(of: source)
            return permit
        }
    }

    /// Keeps a waiting call where it belongs while callers come and go, and reports the wait.
    private func wait(_ permit: Permit, _ demand: CallDemand, _ report: CallReport) {
        demand.whenChanged { [weak self] in
            // Callers come and go on the loop, but not always outside this actor.
            self?.performLater { $0.changed(permit, to: demand.claims) }
        }
        guard let (reason, wait) = queues[permit.source]?.wait(of: permit.call, now: loop.now) else { return }
        waits[reason, default: 0] += 1
        report(.queued(reason, wait: wait))
    }

    /// Others wait for a call now, or wait more urgently: its turn may have come.
    private func changed(_ permit: Permit, to claims: Set<CallDemand.Claim>) {
        guard waiters[permit] != nil else { return }
        queues[permit.source]?.changed(permit.call, to: claims)
        startNext(of: permit.source)
    }

    private func startNext(of source: SourceName) {
        while let call = queues[source]?.next(now: loop.now) {
            end(Permit(source: source, call: call), .success(()))
        }
    }

    private func cancel(_ permit: Permit) {
        guard queues[permit.source]?.left(permit.call) == true else { return }
        end(permit, .failure(.cancelled))
    }

    /// A call waits no longer.
    private func end(_ permit: Permit, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: permit) else { return }
        waiter.demand.whenChanged(nil)
        waiter.slot.end(outcome)
    }

    private static func refusal(_ source: SourceName, _ reason: FairQueue.Reason, _ retryAfter: Duration) -> SearchError
    {
        let isRate = reason == .rate
        return SearchError(
            isRate ? .rateLimited : .overloaded,
            isRate
                ? "\(source) allows no more calls than are waiting already"
                : "more calls to \(source) are waiting than it can answer before their deadlines",
            source: source,
            retryable: true,
            retryAfter: max(.milliseconds(1), retryAfter),
            hint: "Try again later, or with a longer timeout."
        )
    }
}
