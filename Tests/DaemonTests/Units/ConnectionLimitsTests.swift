import SearchModel
import Testing

@testable import Daemon

@Suite struct ConnectionLimitsTests {
    private typealias Arrival = ConnectionLimits.Arrival

    private func limits(_ total: Int, perUser: Int, root: Int = 0, newcomers: Int = 0) -> ConnectionLimits {
        ConnectionLimits(totalMax: total, perUserMax: perUser, keptForRoot: root, keptForNewcomers: newcomers)
    }

    @Test func `a user's last connection is admitted, and one past it replaces one of its own`() {
        var limits = limits(100, perUser: 2)
        for _ in 1...2 {
            #expect(limits.arrival(of: 1) == .admitted)
            limits.enter(user: 1)
        }
        #expect(limits.arrival(of: 1) == .replaces(ofUsers: [1]))
        #expect(limits.arrival(of: 2) == .admitted)
        #expect(limits.refusal(of: 1).message.contains("this user has 2"))
    }

    @Test func `the last connection of all is admitted, and one past it replaces one of the largest holder`() {
        var limits = limits(7, perUser: 4)
        for user in [1, 2, 2, 2, 2, 3] as [UInt32] { limits.enter(user: user) }
        #expect(limits.arrival(of: 3) == .admitted)
        limits.enter(user: 3)
        #expect(limits.total == 7)
        #expect(limits.arrival(of: 4) == .replaces(ofUsers: [2, 3]))
        #expect(limits.arrival(of: 3) == .replaces(ofUsers: [2, 3]))
        #expect(limits.arrival(of: 2) == .replaces(ofUsers: [2]))
        let refusal = limits.refusal(of: 4)
        #expect(refusal.kind == .overloaded && refusal.message.contains("the daemon serves"))
        #expect(refusal.retryable == true && refusal.retryAfter != nil && refusal.hint != nil)
    }

    @Test func `nothing is taken of users who would be left with no more than the newcomer`() {
        var limits = limits(3, perUser: 2)
        for user in [1, 2, 3] as [UInt32] { limits.enter(user: user) }
        #expect(limits.arrival(of: 4) == .replaces(ofUsers: []))
        #expect(limits.arrival(of: 1) == .replaces(ofUsers: [1]))
    }

    @Test func `what is kept admits users without connections, and its very last root alone`() {
        var limits = limits(10, perUser: 8, root: 1, newcomers: 2)
        for _ in 1...7 {
            #expect(limits.arrival(of: 1) == .admitted)
            limits.enter(user: 1)
        }
        #expect(limits.arrival(of: 1) == .replaces(ofUsers: [1]))
        for user in [2, 3] as [UInt32] {
            #expect(limits.arrival(of: user) == .admitted)
            limits.enter(user: user)
            #expect(limits.arrival(of: user) == .replaces(ofUsers: [1, user]))
        }
        #expect(limits.arrival(of: 4) == .replaces(ofUsers: [1]))
        #expect(limits.arrival(of: ConnectionLimits.root) == .admitted)
        limits.enter(user: ConnectionLimits.root)
        #expect(limits.arrival(of: ConnectionLimits.root) == .replaces(ofUsers: [1, ConnectionLimits.root]))
    }

    @Test func `after a replacement nobody has eaten into what is kept`() {
        var limits = limits(10, perUser: 8, root: 1, newcomers: 2)
        for _ in 1...7 { limits.enter(user: 1) }
        for _ in 1...3 {
            guard case .replaces(let users) = limits.arrival(of: 1), let user = users.first else {
                Issue.record("admitted")
                return
            }
            limits.leave(user: user)
            limits.enter(user: 1)
        }
        #expect(limits.total == 7)
    }

    @Test func `a connection that has left can be taken, and nobody leaves twice`() {
        var limits = limits(3, perUser: 2)
        for user in [1, 1, 2] as [UInt32] { limits.enter(user: user) }
        limits.leave(user: 1)
        limits.leave(user: 7)
        #expect(limits.total == 2)
        #expect(limits.arrival(of: 3) == .admitted)
        for user in [1, 2, 1] as [UInt32] { limits.leave(user: user) }
        #expect(limits.total == 0)
    }

    @Test(arguments: [16, 17, 100, 736, ConnectionLimits.totalMax])
    func `of whatever there is, one user can't take all, and root and newcomers have some`(_ total: Int) {
        var limits = ConnectionLimits(totalMax: total)
        #expect(limits.perUserMax < total)
        for user in [1, 2] as [UInt32] {
            while limits.arrival(of: user) == .admitted { limits.enter(user: user) }
        }
        #expect(limits.arrival(of: 3) == .admitted)
        #expect(limits.arrival(of: ConnectionLimits.root) == .admitted)
    }
}
