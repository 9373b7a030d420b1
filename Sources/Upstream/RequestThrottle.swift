package import EventLoop
package import RPC
package import SearchModel

/// The second step of a call, and the only queue: decides whose call to a source starts next.
///
/// There is a `FairQueue` per source. A call waits for every client that wants it, as urgently as they do. A call whose
/// task is cancelled leaves within one turn. A call that could not be answered before its deadline is refused at once.
package actor RequestThrottle: LoopActor {
    /// A call that has its slot, until `leave`.
    package struct Turn: Hashable, Sendable {
        let source: SourceName
        let call: FairQueue.CallID
    }

    /// How many calls may run at once.
    package struct Slots: Sendable {
        let source: Int
        /// Of all sources of the account together.
        let account: Int

        package init(source: Int, account: Int = .max) {
            self.source = max(1, source)
            self.account = max(1, account)
        }
    }

    package struct Bounds: Sendable {
        /// How many calls may wait, at all sources together.
        package var waitingMax = 8192
        /// How many of them one client may wait for.
        package var waitingPerClientMax = 1024

        package init() {}
    }

    /// How long the rate limits of a source delay a call behind so many others.
    package typealias RateDelay = @Sendable (SourceName, Priority, Int) -> Duration

    private typealias Outcome = Result<Void, SearchError>

    private struct Waiter {
        let demand: CallDemand
        let slot = OutcomeSlot<Outcome>()
    }

    /// The slots of a source that says nothing about concurrency.
    package static let slotsDefault = 8
    /// When to come back if nothing is known of the source's speed.
    private static let retryAfterDefault = Duration.seconds(1)

    package nonisolated let loop: EventLoop
    private let bounds: Bounds
    private let slots: @Sendable (SourceName) -> Slots
    private let rateDelay: RateDelay
    private var queues: [SourceName: FairQueue] = [:]
    private var waiters: [Turn: Waiter] = [:]
    /// Sources in the order in which a free slot of their account is offered to them.
    private var order: [SourceName] = []
    /// How many calls had to wait here, by reason.
    package private(set) var waits: [WaitReason: Int] = [:]

    /// `slots` and `rateDelay` are asked for every call, on the loop.
    package init(
        on loop: EventLoop,
        bounds: Bounds = Bounds(),
        slots: @escaping @Sendable (SourceName) -> Slots,
        rateDelay: @escaping RateDelay = { _, _, _ in .zero }
    ) {
        self.loop = loop
        self.bounds = bounds
        self.slots = slots
        self.rateDelay = rateDelay
    }

    /// How many calls wait, and how many run, at all sources.
    package var figures: (waiting: Int, running: Int) {
        queues.values.reduce((0, 0)) { ($0.0 + $1.waitingCount, $0.1 + $1.runningCount) }
    }

    /// Waits for a slot.
    ///
    /// - Returns: The call's turn; `leave` must follow.
    /// - Throws: `overloaded` or `rateLimited` with `retryAfter` when the call can't be answered before its deadline,
    ///   and `cancelled` when its task was cancelled.
    package func enter(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Turn {
        if Task.isCancelled { throw .cancelled }
        let claims = demand.claims
        try checkBounds(source, claims)
        try checkWait(source, claims, priority: demand.priority, by: demand.deadline)
        if queues[source] == nil {
            queues[source] = FairQueue()
            order.append(source)
        }
        guard let call = queues[source]?.arrived(claims) else { throw .cancelled }
        let turn = Turn(source: source, call: call)
        let waiter = Waiter(demand: demand)
        waiters[turn] = waiter
        startNext(ofAccount: source.account)
        guard waiters[turn] != nil else { return turn }
        demand.whenChanged { [weak self] in
            // Callers come and go on the loop, but not always within this actor.
            self?.performLater { $0.changed(turn) }
        }
        reportWait(turn, demand.priority, report)
        try await outcome(of: waiter.slot) { $0.cancel(turn) }.get()
        return turn
    }

    /// The rate limiter has let a call go: the next one may come to the gate.
    package func passed(_ turn: Turn) {
        queues[turn.source]?.passed(turn.call, at: loop.now)
        startNext(ofAccount: turn.source.account)
    }

    /// A call has ended.
    package func leave(_ turn: Turn) {
        queues[turn.source]?.ended(turn.call, at: loop.now)
        startNext(ofAccount: turn.source.account)
    }

    /// Others wait for a call now, or more urgently.
    private func changed(_ turn: Turn) {
        guard let demand = waiters[turn]?.demand else { return }
        queues[turn.source]?.changed(turn.call, to: demand.claims)
        startNext(ofAccount: turn.source.account)
    }

    private func cancel(_ turn: Turn) {
        guard queues[turn.source]?.left(turn.call) == true else { return }
        end(turn, .failure(.cancelled))
    }

    /// A call waits no longer.
    private func end(_ turn: Turn, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: turn) else { return }
        waiter.demand.whenChanged(nil)
        waiter.slot.end(outcome)
    }

    /// Gives free slots of an account to its sources in turns.
    private func startNext(ofAccount account: String) {
        var free: Int {
            let running = order.reduce(0) { $0 + ($1.account == account ? queues[$1]?.runningCount ?? 0 : 0) }
            return (order.first { $0.account == account }.map { slots($0).account } ?? .max) - running
        }
        var hasStarted = true
        while hasStarted, free > 0 {
            hasStarted = false
            for source in order where source.account == account && free > 0 {
                guard queues[source]?.waitingCount ?? 0 > 0,
                    let call = queues[source]?.next(slots: slots(source).source)
                else { continue }
                hasStarted = true
                order.removeAll { $0 == source }
                order.append(source)
                end(Turn(source: source, call: call), .success(()))
            }
        }
    }

    // MARK: Refusing

    /// Refuses a call of clients that wait for too many; makes room when too many wait in all.
    private func checkBounds(_ source: SourceName, _ claims: Set<CallDemand.Claim>) throws(SearchError) {
        let isOver = claims.allSatisfy { claim in
            queues.values.reduce(0) { $0 + $1.count(of: claim.client) } >= bounds.waitingPerClientMax
        }
        if isOver { throw Self.refusal(.overloaded, source, retryAfter(source)) }
        guard waiters.count >= bounds.waitingMax else { return }
        guard let victim = victim(for: Set(claims.map(\.client.userID))) else {
            throw Self.refusal(.overloaded, source, retryAfter(source))
        }
        _ = queues[victim.source]?.left(victim.call)
        end(victim, .failure(Self.refusal(.overloaded, victim.source, retryAfter(victim.source))))
    }

    /// The newest call of the user who waits for the most, unless that is the newcomer's user.
    private func victim(for users: Set<UInt32>) -> Turn? {
        var counts: [UInt32: Int] = [:]
        for (user, count) in queues.values.flatMap(\.countsByUser) { counts[user, default: 0] += count }
        guard let most = counts.max(by: { $0.value < $1.value }), !users.contains(most.key) else { return nil }
        for source in order {
            if let call = queues[source]?.newestCall(ofUser: most.key) { return Turn(source: source, call: call) }
        }
        return nil
    }

    /// Refuses a call that has to wait and could not be answered before its deadline.
    private func checkWait(
        _ source: SourceName,
        _ claims: Set<CallDemand.Claim>,
        priority: Priority,
        by deadline: Instant
    ) throws(SearchError) {
        guard let queue = queues[source], !queue.isEmpty else { return }
        let (wait, isRate) = wait(source, queue.position(of: claims, slots: slots(source).source), priority)
        let answered = loop.now.advanced(by: wait + (queue.usual ?? .zero))
        guard wait > .zero, answered > deadline else { return }
        throw Self.refusal(isRate ? .rateLimited : .overloaded, source, deadline.duration(to: answered))
    }

    /// The estimated wait at a position, and whether it is for the rate limit.
    private func wait(
        _ source: SourceName,
        _ position: FairQueue.Position,
        _ priority: Priority
    ) -> (wait: Duration, isRate: Bool) {
        let rate = rateDelay(source, priority, position.ahead)
        return (max(rate, position.slotWait), rate > position.slotWait)
    }

    private func reportWait(_ turn: Turn, _ priority: Priority, _ report: CallReport) {
        guard let queue = queues[turn.source] else { return }
        let position = queue.position(of: turn.call, slots: slots(turn.source).source)
        let (wait, isRate) = wait(turn.source, position, priority)
        let others: WaitReason = queue.waitsForOthers(turn.call) ? .fairness : .concurrency
        let reason = isRate ? .rateLimit : others
        waits[reason, default: 0] += 1
        report(.queued(reason, wait: wait))
    }

    private func retryAfter(_ source: SourceName) -> Duration { queues[source]?.usual ?? Self.retryAfterDefault }

    private static func refusal(_ kind: SearchError.Kind, _ source: SourceName, _ retryAfter: Duration) -> SearchError {
        SearchError(
            kind,
            kind == .rateLimited
                ? "\(source) allows no more calls than are waiting already"
                : "more calls to \(source) are waiting than it can answer before their deadlines",
            source: source,
            retryable: true,
            retryAfter: max(.milliseconds(1), retryAfter),
            hint: "Try again later, or with a longer timeout."
        )
    }
}
