import EventLoop
import SearchTestSupport
import Testing

@testable import Upstream

@Suite struct CallDemandTests {
    private typealias Caller = CallDemand.Caller

    private static let user = ClientIdentity(userID: 1000, program: "launcher")

    @Test func `a call is as urgent as its most urgent waiter`() {
        let demand = CallDemand(for: Caller(client: Self.user, priority: .background))
        #expect(demand.priority == .background)
        demand.join(Caller())
        #expect(demand.priority == .interactive)
        demand.leave(Caller())
        #expect(demand.priority == .background)
        #expect(demand.claims.map(\.client) == [Self.user])
    }

    @Test func `a call's deadline is the latest deadline of its waiters`() {
        let demand = CallDemand(until: at(.seconds(1)))
        #expect(demand.deadline == at(.seconds(1)))
        demand.join(Caller(), until: at(.seconds(3)))
        demand.join(Caller(), until: at(.seconds(2)))
        #expect(demand.deadline == at(.seconds(3)))
    }

    @Test func `after all callers left, a call keeps the priority and deadline of the last caller`() {
        let demand = CallDemand(for: Caller(priority: .background), until: at(.seconds(1)))
        demand.leave(Caller(priority: .background))
        #expect(demand.priority == .background)
        #expect(demand.deadline == at(.seconds(1)))
    }

    @Test func `if the clients of a waiting call change, the queue is notified`() {
        let changes = Locked(0)
        let demand = CallDemand(for: Caller(priority: .background))
        demand.whenClaimsChange { changes.withLock { $0 += 1 } }
        demand.join(Caller(priority: .background))
        #expect(changes.withLock { $0 } == 0)
        demand.join(Caller())
        #expect(changes.withLock { $0 } == 1)
        demand.leave(Caller())
        #expect(changes.withLock { $0 } == 2)
    }

    @Test func `if any caller of a call is not private, the outcome may be stored`() {
        let demand = CallDemand(for: Caller(isPrivate: true))
        #expect(!demand.mayBeStored)
        demand.join(Caller())
        demand.leave(Caller(isPrivate: true))
        #expect(demand.mayBeStored)
    }
}
