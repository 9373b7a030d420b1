package import EventLoop
import RPC
package import SearchModel

/// The second step of a call: decides which client's call to a source starts next.
///
/// Each source has a `FairQueue`. A call that would probably miss its deadline is refused at once.
package actor RequestThrottle: LoopActor {
    /// A call that waits or runs; the caller must pass it to `leave`.
    package struct Turn: Hashable, Sendable {
        let source: SourceName
        let call: FairQueue.CallID
    }

    /// The maximum number of running calls of one source, and of all sources of its account together.
    package typealias Slots = (source: Int, account: Int)

    /// Returns how long the rate limits of a source delay a call if this many other calls start before it.
    package typealias RateDelay = @Sendable (SourceName, Int) -> Duration

    package static let slotsDefault = 8
    /// The retry time in an error if the response time of the source is unknown.
    private static let retryAfterDefault = Duration.seconds(1)

    package nonisolated let loop: EventLoop
    private let waitingMax: Int
    private let waitingPerClientMax: Int
    private let refusesLate: Bool
    private let slots: @Sendable (SourceName) -> Slots
    private let rateDelay: RateDelay
    private var queues: [SourceName: FairQueue] = [:]
    /// The continuations of waiting calls; resumed with true when a call starts, with false when its task is cancelled.
    private var waiters: [Turn: CheckedContinuation<Bool, Never>] = [:]
    private var lastCall: FairQueue.CallID = 0
    /// All sources, in the order in which they get free slots of their accounts.
    private var order: [SourceName] = []

    /// Creates a throttle; it calls `slots` and `rateDelay` on the loop for every call.
    ///
    /// At most `waitingMax` calls wait for all sources together. A user's calls use at most half of these places,
    /// because a user may not have more waiting calls than there are free places. If `refusesLate` is true, calls that
    /// would probably miss their deadlines are refused.
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

    /// Waits for a slot and returns the call's turn, which the caller must pass to `leave`.
    ///
    /// Throws `overloaded` or `rateLimited` with `retryAfter` if the call would miss its deadline, `overloaded` if too
    /// many calls wait, and `cancelled` if its task was cancelled.
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

    /// Records that the rate limiter admitted a call; then the next call may get a slot.
    package func admitted(_ turn: Turn) {
        queues[turn.source]?.admitted(turn.call, at: loop.now)
        startNext(ofAccount: turn.source.account)
    }

    package func leave(_ turn: Turn) {
        if queues[turn.source]?.left(turn.call) == false { queues[turn.source]?.ended(turn.call, at: loop.now) }
        startNext(ofAccount: turn.source.account)
    }

    /// Estimates why and how long a new call would wait, and when its source would respond.
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

    /// Throws if every client of a call, or its user, already has too many waiting calls.
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
