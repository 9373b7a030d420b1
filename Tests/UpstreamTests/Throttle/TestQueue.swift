import EventLoop
import SearchTestSupport

@testable import Upstream

/// A `FairQueue` whose calls have names.
final class TestQueue {
    typealias CallID = FairQueue.CallID

    private var queue: FairQueue
    private var names: [CallID: String] = [:]
    private var lastCall: CallID = 0

    private let slots: Int

    init(slots: Int) {
        self.slots = slots
        queue = FairQueue()
    }

    init(copying other: TestQueue) {
        slots = other.slots
        queue = other.queue
        (names, lastCall) = (other.names, other.lastCall)
    }

    var waitingCount: Int { queue.waitingCount }
    var runningCount: Int { queue.runningCount }

    @discardableResult
    func ask(_ claims: CallDemand.Claim..., as name: String = "") -> CallID {
        lastCall += 1
        queue.arrived(lastCall, for: Set(claims))
        names[lastCall] = name
        return lastCall
    }

    func change(_ call: CallID, to claims: CallDemand.Claim...) {
        queue.changed(call, to: Set(claims))
    }

    func leave(_ call: CallID) -> Bool {
        queue.left(call)
    }

    func begin() -> CallID? {
        queue.next(slots: slots)
    }

    func admit(_ call: CallID, at time: Duration = .zero) {
        queue.admitted(call, at: at(time))
    }

    func end(_ call: CallID, at time: Duration = .zero) {
        queue.ended(call, at: at(time))
    }

    func position(of claims: CallDemand.Claim...) -> FairQueue.Position {
        queue.position(of: Set(claims), slots: slots)
    }

    func runNext() -> String? {
        guard let call = begin() else { return nil }
        admit(call)
        end(call)
        return names[call] ?? "?"
    }

    func drain() -> [String] {
        var order: [String] = []
        while let name = runNext() { order.append(name) }
        return order
    }
}

func client(_ number: Int, user: UInt32 = 1000) -> ClientIdentity {
    ClientIdentity(userID: user, program: "client \(number)")
}

func claim(_ number: Int, user: UInt32 = 1000, _ priority: Priority = .interactive) -> CallDemand.Claim {
    CallDemand.Claim(client: client(number, user: user), priority: priority)
}
