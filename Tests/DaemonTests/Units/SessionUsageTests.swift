import SearchModel
import Testing

@testable import Daemon

@Suite struct SessionUsageTests {
    private var usage = SessionUsage()

    init() {
        usage.limits = SessionLimits {
            $0.connections = 6
            $0.connectionsPerUser = 4
            $0.requestsPerUser = 3
            $0.subscriptionsPerUser = 2
            $0.bytesPerUser = 1 << 20
            $0.bytes = 2 << 20
            $0.unlimitedUsers = [0]
        }
    }

    private mutating func add(
        _ user: UInt32,
        connections: Int = 0,
        requests: Int = 0,
        subscriptions: Int = 0,
        bytes: Int = 0
    ) {
        usage.change(
            user,
            by: .init(connections: connections, requests: requests, subscriptions: subscriptions, bytes: bytes)
        )
    }

    @Test mutating func `connections are limited per user and in total, and for root only in total`() {
        for _ in 1...4 {
            #expect(usage.admitsConnection(of: 1))
            add(1, connections: 1)
        }
        #expect(!usage.admitsConnection(of: 1))
        #expect(usage.refusal(of: 1).message.contains("this user has 4"))
        add(2, connections: 1)
        add(0, connections: 1)
        #expect(!usage.admitsConnection(of: 0) && !usage.admitsConnection(of: 3))
        let refusal = usage.refusal(of: 3)
        #expect(refusal.kind == .overloaded && refusal.message.contains("the daemon serves 6"))
        #expect(refusal.retryAfter != nil && refusal.hint != nil)
        add(1, connections: -4)
        for _ in 1...4 {
            #expect(usage.admitsConnection(of: 0))
            add(0, connections: 1)
        }
    }

    @Test mutating func `requests and subscriptions are limited per user`() {
        add(1, requests: 3, subscriptions: 2)
        #expect(!usage.admitsRequest(of: 1) && !usage.admitsSubscription(of: 1))
        #expect(usage.admitsRequest(of: 2) && usage.admitsSubscription(of: 2))
        add(1, requests: -1, subscriptions: -1)
        #expect(usage.admitsRequest(of: 1) && usage.admitsSubscription(of: 1))
    }

    @Test mutating func `buffered bytes are limited per user and in total, but each user gets a minimum`() {
        add(1, bytes: 1 << 20)
        #expect(usage.admits(of: 1) && !usage.admits(bytes: 1, of: 1))
        add(2, bytes: 1 << 20)
        #expect(!usage.admits(bytes: SessionLimits.freeBytes + 1, of: 3))
        #expect(usage.admits(bytes: SessionLimits.freeBytes, of: 3))
        add(3, bytes: 1)
        #expect(!usage.admits(bytes: SessionLimits.freeBytes, of: 3))
        #expect(usage.total.bytes == 2 << 20 + 1)
    }

    @Test func `a process with few descriptors serves fewer connections`() {
        #expect(SessionLimits(descriptors: 65_536, daemonUser: 7).connections == 1024)
        #expect(SessionLimits(descriptors: 256, daemonUser: 7).connections == 112)
        #expect(SessionLimits(descriptors: 20, daemonUser: 7).connections == 4)
        #expect(SessionLimits(descriptors: 256, daemonUser: 7).unlimitedUsers == [0, 7])
    }
}
