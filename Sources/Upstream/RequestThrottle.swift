package import EventLoop
import RPC
package import SearchModel

/// The second step of a call: decides which client's call to a source starts next.
package actor RequestThrottle: LoopActor {
    /// The caller must pass this value to `leave`.
    package struct Turn: Hashable, Sendable {
        let source: SourceName
        let call: FairQueue.CallID
    }

    package typealias Slots = (source: Int, account: Int)

    package typealias RateDelay = @Sendable (SourceName, Int) -> Duration

    package static let slotsDefault = 8
    private static let retryAfterDefault = Duration.seconds(1)

    package nonisolated let loop: EventLoop
    private let waitingMax: Int
    private let waitingPerClientMax: Int
    private let refusesLate: Bool
    private let slots: @Sendable (SourceName) -> Slots
    private let rateDelay: RateDelay
    private var queues: [SourceName: FairQueue] = [:]
    /// Resumed with true when the call starts, and with false when its task is cancelled.
    private var waiters: [Turn: CheckedContinuation<Bool, Never>] = [:]
    private var lastCall: FairQueue.CallID = 0
    private var order: [SourceName] = []

    package init(
        on loop: EventLoop,
        waitingMax: Int = 8192,
        waitingPerClientMax: Int = 1024,
        refusesLate: Bool = true,
        slots: @escaping @Sendable (SourceName) -> Slots,
        rateDelay: @escaping RateDelay = { _, _ in .zero }
    ) {
        self.loop = loop
        self.waitingMax = waitingMax
        self.waitingPerClientMax = waitingPerClientMax
        self.refusesLate = refusesLate
        self.slots = slots
        self.rateDelay = rateDelay
    }

    package var waitingCount: Int { queues.values.reduce(0) { $0 + $1.waitingCount } }

    /// Waits for a slot; throws `overloaded` or `rateLimited` if the call would miss its deadline.
    package func enter(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Turn {
        if Task.isCancelled { throw .cancelled }
        let claims = demand.claims
        try checkBounds(source, claims)
        let estimate = estimate(source, claims)
        if refusesLate, estimate.wait > .zero, estimate.answered > demand.deadline {
            let late = demand.deadline.duration(to: estimate.answered)
            throw Self.refusal(estimate.reason == .rateLimit ? .rateLimited : .overloaded, source, late)
        }
        lastCall += 1
        let turn = Turn(source: source, call: lastCall)
        let isStarted = await suspend { continuation in
            if queues[source] == nil { order.append(source) }
            queues[source, default: FairQueue()].arrived(turn.call, for: claims)
            waiters[turn] = continuation
            startNext(ofAccount: source.account)
            guard waiters[turn] != nil else { return }
            report(.queued(estimate.reason, wait: estimate.wait))
            demand.whenClaimsChange { [weak self] in self?.performLater { $0.changed(turn, demand) } }
        } whenCancelled: {
            $0.wake(turn, isStarted: false)
        }
        demand.whenClaimsChange(nil)
        guard isStarted else {
            leave(turn)
            throw .cancelled
        }
        return turn
    }

    package func admitted(_ turn: Turn) {
        queues[turn.source]?.admitted(turn.call, at: loop.now)
        startNext(ofAccount: turn.source.account)
    }

    package func leave(_ turn: Turn) {
        if queues[turn.source]?.left(turn.call) == false { queues[turn.source]?.ended(turn.call, at: loop.now) }
        startNext(ofAccount: turn.source.account)
    }

    private func estimate(
        _ source: SourceName,
        _ claims: Set<CallDemand.Claim>
    ) -> (reason: WaitReason, wait: Duration, answered: Instant) {
        guard let queue = queues[source], !queue.isEmpty else { return (.concurrency, .zero, loop.now) }
        let position = queue.position(of: claims, slots: slots(source).source)
        let rateWait = rateDelay(source, position.ahead)
        let wait = max(rateWait, position.slotWait)
        let other: WaitReason = position.isBehindOthers ? .fairness : .concurrency
        let answered = loop.now.advanced(by: wait + (queue.usual ?? .zero))
        return (rateWait > position.slotWait ? .rateLimit : other, wait, answered)
    }

    private func changed(_ turn: Turn, _ demand: CallDemand) {
        queues[turn.source]?.changed(turn.call, to: demand.claims)
        startNext(ofAccount: turn.source.account)
    }

    private func wake(_ turn: Turn, isStarted: Bool) {
        waiters.removeValue(forKey: turn)?.resume(returning: isStarted)
    }

    private func startNext(ofAccount account: String) {
        let sources = order.filter { $0.account == account }
        guard let first = sources.first else { return }
        var free = slots(first).account - sources.reduce(0) { $0 + (queues[$1]?.runningCount ?? 0) }
        var hasStarted = true
        while hasStarted {
            hasStarted = false
            for source in sources where free > 0 {
                guard let call = queues[source]?.next(slots: slots(source).source) else { continue }
                hasStarted = true
                free -= 1
                order.removeAll { $0 == source }
                order.append(source)
                wake(Turn(source: source, call: call), isStarted: true)
            }
        }
    }

    /// The waiting calls of a user must be fewer than the free places in all queues.
    private func checkBounds(_ source: SourceName, _ claims: Set<CallDemand.Claim>) throws(SearchError) {
        let free = waitingMax - waitingCount
        let isOver = claims.allSatisfy { claim in
            queues.values.reduce(0) { $0 + $1.count(of: claim.client) } >= waitingPerClientMax
                || queues.values.reduce(0) { $0 + $1.count(ofUser: claim.client.userID) } >= free
        }
        if isOver { throw Self.refusal(.overloaded, source, queues[source]?.usual ?? Self.retryAfterDefault) }
    }

    private static func refusal(_ kind: SearchError.Kind, _ source: SourceName, _ retryAfter: Duration) -> SearchError {
        SearchError(
            kind,
            kind == .rateLimited
                ? "too many calls are waiting for the rate limit of \(source)"
                : "too many calls are waiting",
            source: source,
            retryable: true,
            retryAfter: max(.milliseconds(1), retryAfter),
            hint: "Try again later, or with a longer timeout."
        )
    }
}
