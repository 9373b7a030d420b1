import CPlatform
import Catalogue
import Engine
import EventLoop
import Glibc
import SearchModel
import Testing
import Upstream

@testable import Daemon

@Suite struct SupervisionTests {
    private func surroundings(_ environment: [String: String]) -> ProcessEnvironment {
        ProcessEnvironment(userID: 0, processID: 42, environment: environment)
    }

    @Test func `the watchdog is notified twice in each interval`() {
        #expect(ServiceNotice.watchdogPause(surroundings(["WATCHDOG_USEC": "30000000"])) == .seconds(15))
        #expect(
            ServiceNotice.watchdogPause(surroundings(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]))
                == .seconds(15)
        )
    }

    @Test(arguments: [
        [:], ["WATCHDOG_USEC": "0"], ["WATCHDOG_USEC": "x"], ["WATCHDOG_USEC": "9", "WATCHDOG_PID": "1"],
    ])
    func `without a valid interval for this process, the watchdog is not notified`(environment: [String: String]) {
        #expect(ServiceNotice.watchdogPause(surroundings(environment)) == nil)
    }

    @Test func `the status line has the number of sources, and names the failing sources`() throws {
        var health = SourceHealth()
        health.ended(.unavailable, at: 1)
        var sources: [ConfiguredSource] = []
        let catalogue = Catalogue.builtIn()
        for name in ["itunes.app", "itunes.music", "itunes.album", "itunes.movie", "kakao.blog"] {
            let source = try #require(SourceName(name).flatMap { catalogue[$0] })
            sources.append(ConfiguredSource(source: source, access: AccountAccess()))
        }
        let registry = SourceRegistry(catalogue: catalogue, sources: sources)
        #expect(StatusLine.text(registry, health: [:]) == "serving 4 sources")
        let one = try #require(SourceName("itunes.app"))
        #expect(StatusLine.text(registry, health: [one: health]) == "serving 4 sources; itunes.app fails")
        let all = Dictionary(uniqueKeysWithValues: sources.map { ($0.source.name, health) })
        #expect(
            StatusLine.text(registry, health: all)
                == "serving 4 sources; itunes.album, itunes.app, itunes.movie and 1 more fail"
        )
    }

    @Test func `root, the daemon's user and members of the group are administrators`() {
        func peer(_ user: UInt32, _ group: UInt32 = 500) -> Peer { Peer(processID: 1, userID: user, groupID: group) }
        func isRefused(_ peer: Peer, groups: [UInt32] = []) -> Bool {
            permissions.refusal(of: .administrators, to: peer) { groups }?.kind == .forbidden
        }
        var permissions = Permissions(userID: 1000)
        #expect(!isRefused(peer(0)))
        #expect(!isRefused(peer(1000)))
        #expect(isRefused(peer(1001), groups: [500]))
        permissions.adminGroupID = 500
        #expect(!isRefused(peer(1001)))
        #expect(!isRefused(peer(1001, 7), groups: [8, 500]))
        #expect(isRefused(peer(1001, 7), groups: [8]))
    }

    @Test(arguments: [(true, 65_534, true), (false, 65_534, false), (false, 0, true), (false, 998, true)])
    func `if users cannot be distinguished, the user “nobody” has no personal data`(
        isKnown: Bool,
        user: UInt32,
        mayCall: Bool
    ) {
        let permissions = Permissions(userID: 998, distinguishesUsers: isKnown)
        let peer = Peer(processID: 1, userID: user, groupID: user)
        let refusal = permissions.refusal(of: .ownData, to: peer) { [] }
        #expect(refusal?.kind == (mayCall ? nil : .forbidden))
        #expect(mayCall || refusal?.hint?.contains("PrivateUsers") == true)
        #expect(permissions.refusal(of: .anyone, to: peer) { [] } == nil)
    }

    @Test func `users that a namespace does not map cannot be distinguished`() {
        #expect(UserMap.distinguishesUsers("         0          0 4294967295\n"))
        #expect(UserMap.distinguishesUsers("0 0 65536\n"))
        #expect(!UserMap.distinguishesUsers("0 0 1\n998 998 1\n"))
        #expect(UserMap.distinguishesUsers(""))
    }

    @Test func `the groups of a peer are read`() throws {
        var ends: [Int32] = [0, 0]
        let made = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        try #require(made == 0)
        defer { for end in ends { close(end) } }
        let count = getgroups(0, nil)
        var groups = [gid_t](repeating: 0, count: Int(count))
        let filled = unsafe getgroups(count, &groups)
        try #require(filled == count)
        #expect(Set(Peer.groups(of: ends[0])) == Set(groups))
    }
}
