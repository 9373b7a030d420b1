package import EventLoop
package import SearchModel

/// Lets upstream calls begin in a fair order: a `FairQueue` for each source, and the waiting.
///
/// A call that waits is placed in the name of every client that waits for it, as urgently as they do. One whose task is
/// cancelled while it waits gives its place back within one turn.
package actor RequestThrottle: LoopActor {
    /// A call that may begin, until `leave`.
    package struct Place: Hashable, Sendable {
        let source: SourceName
        let call: FairQueue.CallID
    }

    private typealias Outcome = Result<Void, SearchError>

    private struct Waiter {
        let ticket: CallTicket
        let seat = OutcomeSlot<Outcome>()
    }

    /// The slots of a source that says nothing of its concurrency.
    package static let slotsDefault = 8

    package nonisolated let loop: EventLoop
    private let limits: FairQueue.Limits
    private let slots: @Sendable (SourceName) -> Int?
    private var queues = InPlaceDictionary<SourceName, FairQueue>()
    private var waiters: [Place: Waiter] = [:]
    /// How many calls had to wait here, by what for; one that waits on is counted as often as it is told.
    package private(set) var waits: [CallEvent.WaitReason: Int] = [:]

    /// - Parameters:
    ///   - loop: The actor's executor.
    ///   - slots: How many calls to a source may be under way; nil where nothing is known. Asked for every call.
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

    /// Waits until a call to a source may begin.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - ticket: Says for whom and until when; is told when the call has to wait.
    /// - Returns: The call's place, which whoever got it must `leave`.
    /// - Throws: `overloaded` or `rateLimited` with `retryAfter` when it can't begin in time; `cancelled` when its task
    ///   was cancelled.
    package func enter(_ source: SourceName, with ticket: CallTicket) async throws(SearchError) -> Place {
        if Task.isCancelled { throw .cancelled }
        let place = try arrive(source, ticket)
        guard let seat = waiters[place]?.seat else { return place }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                seat.wait(continuation)
                if Task.isCancelled { giveUp(place, .cancelled) }
            }
        } onCancel: {
            performLater { $0.giveUp(place, .cancelled) }
        }.map { place }.get()
    }

    /// A call has come to its end.
    package func leave(_ place: Place) {
        queues[place.source]?.ended(place.call, now: loop.now)
        startNext(of: place.source)
    }

    /// A call that has its place got on, or is held up.
    package func progressed(_ place: Place, _ progress: CallTicket.Progress) {
        switch progress {
        case .passed, .event(.sent):
            queues[place.source]?.passed(place.call, now: loop.now)
            startNext(of: place.source)
        case .event(.queued(_, let wait)):
            queues[place.source]?.held(place.call, until: loop.now.advanced(by: wait))
        case .event(.retrying): queues[place.source]?.repeated(place.call)
        case .event: break
        }
    }

    /// Puts a call in the queue; it waits if it is in `waiters` afterwards.
    private func arrive(_ source: SourceName, _ ticket: CallTicket) throws(SearchError) -> Place {
        let slots = max(1, slots(source) ?? Self.slotsDefault)
        if !queues.contains(source) { queues[source] = FairQueue(slots: slots, limits: limits) }
        queues[source]?.slots = slots
        switch queues[source]?.arrived(ticket.claims, by: ticket.deadline, now: loop.now) {
        case nil: preconditionFailure("a queue that was just there is gone")
        case .refused(let reason, let retryAfter): throw Self.refusal(source, reason, retryAfter)
        case .waits(let call, let evicted):
            let place = Place(source: source, call: call)
            waiters[place] = Waiter(ticket: ticket)
            if let evicted {
                let retryAfter = FairQueue.retryAfterDefault
                end(Place(source: source, call: evicted), .failure(Self.refusal(source, .load, retryAfter)))
            }
            startNext(of: source)
            if waiters[place] != nil { settle(place, ticket) }
            return place
        }
    }

    /// Keeps a waiting call where it belongs while callers come and go, and tells those who are there.
    private func settle(_ place: Place, _ ticket: CallTicket) {
        ticket.whenChanged { [self] in
            // Callers come and go on the loop.
            onLoop { $0.queues[place.source]?.changed(place.call, to: ticket.claims) }
        }
        guard let (reason, wait) = queues[place.source]?.wait(of: place.call, now: loop.now) else { return }
        waits[reason, default: 0] += 1
        ticket.tell(.queued(reason, wait: wait))
    }

    private func startNext(of source: SourceName) {
        while let call = queues[source]?.next(now: loop.now) {
            end(Place(source: source, call: call), .success(()))
        }
    }

    private func giveUp(_ place: Place, _ error: SearchError) {
        guard queues[place.source]?.left(place.call) == true else { return }
        end(place, .failure(error))
    }

    /// A call waits no longer.
    private func end(_ place: Place, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: place) else { return }
        waiter.ticket.whenChanged(nil)
        waiter.seat.end(outcome)
    }

    private static func refusal(_ source: SourceName, _ reason: FairQueue.Reason, _ retryAfter: Duration) -> SearchError
    {
        let isRate = reason == .rate
        return SearchError(
            isRate ? .rateLimited : .overloaded,
            isRate
                ? "\(source) allows no more calls than are waiting already"
                : "more calls to \(source) are waiting than it can answer in time",
            source: source,
            retryable: true,
            retryAfter: max(.milliseconds(1), retryAfter),
            hint: "Try again later, or with a longer timeout."
        )
    }
}
