import EventLoop

@testable import Engine

/// A fair queue at the beginning of time, and the names of its calls.
final class TestQueue {
    typealias CallID = FairQueue.CallID

    private var queue: FairQueue
    private var names: [CallID: String] = [:]

    init(slots: Int, limits: FairQueue.Limits = FairQueue.Limits()) {
        queue = FairQueue(slots: slots, limits: limits)
    }

    init(copying other: TestQueue) {
        queue = other.queue
        names = other.names
    }

    /// A queue whose calls have lately taken so long; as many as it has slots are under way.
    static func busy(
        slots: Int,
        callsTake time: Duration,
        gateTakes gate: Duration = .zero,
        limits: FairQueue.Limits = FairQueue.Limits()
    ) -> (queue: TestQueue, running: [CallID]) {
        let queue = TestQueue(slots: slots, limits: limits)
        var running: [CallID] = []
        for number in 0...slots {
            queue.ask(claim(-1 - number))
            guard let call = queue.begin() else { preconditionFailure("nothing stands in its way") }
            if gate > .zero { queue.hold(call, until: gate) }
            queue.pass(call, at: gate)
            if number == 0 { queue.end(call, at: time) } else { running.append(call) }
        }
        return (queue, running)
    }

    var waitingCount: Int { queue.waitingCount }
    var runningCount: Int { queue.runningCount }

    func arrival(_ claims: [CallDemand.Claim], by deadline: Duration? = nil) -> FairQueue.Arrival {
        queue.arrived(Set(claims), by: deadline.map { at($0) }, now: at(.zero))
    }

    /// The call that waits now; nil for one that was refused.
    @discardableResult
    func ask(_ claims: CallDemand.Claim..., by deadline: Duration? = nil, as name: String = "") -> CallID? {
        guard case .waits(let call, _) = arrival(claims, by: deadline) else { return nil }
        names[call] = name
        return call
    }

    func change(_ call: CallID, to claims: CallDemand.Claim...) {
        queue.changed(call, to: Set(claims))
    }

    func leave(_ call: CallID) -> Bool {
        queue.left(call)
    }

    func begin() -> CallID? {
        queue.next(now: at(.zero))
    }

    func hold(_ call: CallID, until time: Duration) {
        queue.held(call, until: at(time))
    }

    func pass(_ call: CallID, at time: Duration = .zero) {
        queue.passed(call, now: Instant(nanoseconds: time.saturatingNanoseconds))
    }

    func `repeat`(_ call: CallID) {
        queue.repeated(call)
    }

    func end(_ call: CallID, at time: Duration = .zero) {
        queue.ended(call, now: Instant(nanoseconds: time.saturatingNanoseconds))
    }

    /// Lets a call begin and end; its name.
    func begun() -> String? {
        guard let call = begin() else { return nil }
        pass(call)
        end(call)
        return names[call] ?? "?"
    }

    /// Lets call after call begin and end; their names.
    func drain() -> [String] {
        var order: [String] = []
        while let name = begun() { order.append(name) }
        return order
    }
}
