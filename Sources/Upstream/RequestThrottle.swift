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
        /// How many calls may wait, at all sources together. A user may wait for as many as there are places left, so
        /// that there is always room for another user.
        package var waitingMax = 8192
        /// How many of them one client may wait for.
        package var waitingPerClientMax = 1024

        package init() {}
    }

    /// How long the rate limits of a source delay a call behind so many others.
    package typealias RateDelay = @Sendable (SourceName, Priority, Int) -> Duration

    private enum Wake {
        case started
        case demandChanged
        case cancelled
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
    private var waiters: [Turn: OutcomeSlot<Wake>] = [:]
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
        try checkBounds(source, demand.claims)
        try checkWait(source, demand)
        if queues[source] == nil {
            queues[source] = FairQueue()
            order.append(source)
        }
        guard let call = queues[source]?.arrived(demand.claims) else { throw .cancelled }
        let turn = Turn(source: source, call: call)
        startNext(ofAccount: source.account)
        guard isWaiting(turn) else { return turn }
        reportWait(turn, demand.priority, report)
        demand.whenChanged { [weak self] in self?.performLater { $0.wake(turn, .demandChanged) } }
        defer { demand.whenChanged(nil) }
        while isWaiting(turn) {
            let slot = OutcomeSlot<Wake>()
            waiters[turn] = slot
            switch await outcome(of: slot, whenCancelled: { $0.wake(turn, .cancelled) }) {
            case .started: break
            case .demandChanged:
                queues[source]?.changed(call, to: demand.claims)
                startNext(ofAccount: source.account)
            case .cancelled:
                leave(turn)
                throw .cancelled
            }
        }
        return turn
    }

    /// The rate limiter has let a call go: the next one may come to the gate.
    package func passed(_ turn: Turn) {
        queues[turn.source]?.passed(turn.call, at: loop.now)
        startNext(ofAccount: turn.source.account)
    }

    /// A call has ended, or waits no longer.
    package func leave(_ turn: Turn) {
        if queues[turn.source]?.left(turn.call) == false { queues[turn.source]?.ended(turn.call, at: loop.now) }
        startNext(ofAccount: turn.source.account)
    }

    private func isWaiting(_ turn: Turn) -> Bool { queues[turn.source]?.isWaiting(turn.call) == true }

    private func wake(_ turn: Turn, _ reason: Wake) {
        waiters.removeValue(forKey: turn)?.end(reason)
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
                wake(Turn(source: source, call: call), .started)
            }
        }
    }

    // MARK: Refusing

    /// Refuses a call of clients and users that wait for too many.
    private func checkBounds(_ source: SourceName, _ claims: Set<CallDemand.Claim>) throws(SearchError) {
        let room = bounds.waitingMax - figures.waiting
        let isOver = claims.allSatisfy { claim in
            let (client, user) = queues.values.reduce((0, 0)) { sum, queue in
                (sum.0 + queue.count(of: claim.client), sum.1 + queue.count(ofUser: claim.client.userID))
            }
            return client >= bounds.waitingPerClientMax || user >= room
        }
        if isOver { throw Self.refusal(.overloaded, source, queues[source]?.usual ?? Self.retryAfterDefault) }
    }

    /// Refuses a call that has to wait and could not be answered before its deadline.
    private func checkWait(_ source: SourceName, _ demand: CallDemand) throws(SearchError) {
        guard let queue = queues[source], !queue.isEmpty else { return }
        let position = queue.position(of: demand.claims, slots: slots(source).source)
        let (wait, isRate) = wait(source, position, demand.priority)
        let (answered, deadline) = (loop.now.advanced(by: wait + (queue.usual ?? .zero)), demand.deadline)
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
