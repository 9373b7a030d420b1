import Testing

@testable import Client

struct DaemonOwnerTests {
    private static let own = "/run/user/1000/searchd.sock"

    @Test func `the daemon on the system's socket is the system's, whoever it runs as`() {
        for user: UInt32? in [0, 997, 1000, nil] {
            #expect(DaemonOwner(daemonUser: user, path: SocketPlan.systemPath, userID: 1000) == .system)
        }
        #expect(DaemonOwner.system.keysLines == ["These are the keys of the system's searchd."])
    }

    @Test func `elsewhere it is one's own or another user's`() {
        #expect(DaemonOwner(daemonUser: 1000, path: Self.own, userID: 1000) == .own)
        #expect(DaemonOwner(daemonUser: nil, path: Self.own, userID: 1000) == .own)
        #expect(DaemonOwner.own.keysLines.isEmpty)
        let other = DaemonOwner(daemonUser: 1001, path: Self.own, userID: 1000)
        #expect(other.text { "user\($0)" } == "user1001's")
    }
}
