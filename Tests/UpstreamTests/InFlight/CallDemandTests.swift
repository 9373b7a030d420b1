import EventLoop
import SearchTestSupport
import Testing

@testable import Upstream

/// What a call knows of those who wait for it.
@Suite struct CallDemandTests {
    private typealias Caller = CallDemand.Caller

    private static let user = ClientIdentity(userID: 1000, program: "launcher")

    @Test func `it is as urgent as the most urgent of those who wait`() {
        let demand = CallDemand(for: Caller(client: Self.user, priority: .background))
        #expect(demand.priority == .background)
        demand.join(Caller())
        #expect(demand.priority == .interactive)
        demand.leave(Caller())
        #expect(demand.priority == .background)
        #expect(demand.claims.map(\.client) == [Self.user])
    }

    @Test func `its deadline is the latest`() {
        let demand = CallDemand(until: at(.seconds(1)))
        #expect(demand.deadline == at(.seconds(1)))
        demand.join(Caller(), until: at(.seconds(3)))
        demand.join(Caller(), until: at(.seconds(2)))
        #expect(demand.deadline == at(.seconds(3)))
    }

    @Test func `when all have left it keeps what the last one said`() {
        let demand = CallDemand(for: Caller(priority: .background), until: at(.seconds(1)))
        demand.leave(Caller(priority: .background))
        #expect(!demand.isWanted)
        #expect(demand.priority == .background)
        #expect(demand.deadline == at(.seconds(1)))
    }

    @Test func `the queue where it waits learns when its clients change`() {
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

    @Test func `the outcome may be kept once one caller was not private`() {
        let demand = CallDemand(for: Caller(isPrivate: true))
        #expect(!demand.mayBeKept)
        demand.join(Caller())
        demand.leave(Caller(isPrivate: true))
        #expect(demand.mayBeKept)
    }
}
