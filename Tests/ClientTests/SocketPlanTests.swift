import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Client

struct SocketPlanTests {
    private func plan(
        _ option: String? = nil,
        _ environment: [String: String] = [:],
        userID: UInt32 = 4_294_967_000
    ) throws -> SocketPlan {
        try SocketPlan(option: option, environment: Environment(environment), userID: userID)
    }

    @Test(arguments: [nil, "/run/user/0"])
    func `where systemd has the service, root never starts a daemon of its own in its place`(runtime: String?) throws {
        let usual = try plan(nil, runtime.map { ["XDG_RUNTIME_DIR": $0] } ?? [:], userID: 0)
        for isListening in [false, true] {
            #expect(usual.start(userID: 0, hasService: true, isListening: isListening) == .service)
        }
        let path = try #require(usual.startPath)
        let bare = usual.start(userID: 0, hasService: false, isListening: false)
        #expect(bare == .own(path))
        let named = try plan(SocketPlan.systemPath, userID: 0)
        #expect(named.start(userID: 0, hasService: true, isListening: false) == .service)
        let other = try plan("/tmp/s", userID: 0)
        let chosen = other.start(userID: 0, hasService: true, isListening: false)
        #expect(chosen == nil)
    }

    @Test(arguments: [(true, true), (false, false)])
    func `a user starts a daemon of one's own on the usual socket, unless it is the service that is stopped`(
        hasService: Bool,
        isListening: Bool
    ) throws {
        func start(_ plan: SocketPlan) -> SocketPlan.Start? {
            plan.start(userID: 1000, hasService: hasService, isListening: isListening)
        }
        let usual = try plan(nil, ["XDG_RUNTIME_DIR": "/r"])
        #expect(start(usual) == .own("/r/searchd.sock"))
        #expect(usual.start(userID: 1000, hasService: true, isListening: false) == .serviceByRoot)
        let chosen = try plan("/tmp/s")
        #expect(start(chosen) == nil)
        #expect(chosen.start(userID: 1000, hasService: true, isListening: false) == nil)
        #expect(start(try plan()) == nil)
    }

    @Test func `the user's own place comes before the system's`() throws {
        for directory in ["/run/user/1000", "/run/user/1000/"] {
            let plan = try plan(nil, ["XDG_RUNTIME_DIR": directory, "SEARCHD_SOCKET": ""])
            #expect(plan.candidates == ["/run/user/1000/searchd.sock", "/run/searchd/searchd.sock"])
            #expect(plan.startPath == "/run/user/1000/searchd.sock")
        }
    }

    @Test func `without a runtime directory a user's own daemon listens in the user's state`() throws {
        let plan = try plan(nil, ["HOME": "/h"])
        #expect(plan.candidates == ["/h/.local/state/searchd/run/searchd.sock", "/run/searchd/searchd.sock"])
        #expect(plan.startPath == "/h/.local/state/searchd/run/searchd.sock")
        #expect(try self.plan(nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"]).startPath == "/s/searchd/run/searchd.sock")
    }

    @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"]])
    func `without any directory only root starts a daemon`(environment: [String: String]) throws {
        #expect(try plan(nil, environment).candidates == ["/run/searchd/searchd.sock"])
        #expect(try plan(nil, environment).startPath == nil)
        #expect(try plan(nil, environment, userID: 0).startPath == "/run/searchd/searchd.sock")
    }

    @Test func `a path may be as long as an address and no longer`() throws {
        let fits = "/" + String(repeating: "x", count: SocketPlan.pathBytesMax - 1)
        #expect(try plan(fits).candidates == [fits])
        #expect(throws: ClientError.self) { try plan(fits + "x") }
        #expect(try unsafe UnixSocket.withAddress(fits) { _, _ in 0 } == 0)
        #expect(throws: SystemError.self) { try unsafe UnixSocket.withAddress(fits + "x") { _, _ in 0 } }
    }
}

/// Which sockets are as good as their owner's word, and that no other is asked anything.
struct SocketWayTests {
    private let directory = TemporaryDirectory()

    private func make(_ name: String, mode: mode_t = 0o755) -> String {
        let path = directory.file(name)
        // The paths live through the calls; the second one sets what the first one's mask takes away.
        _ = unsafe mkdir(path, mode)
        _ = unsafe chmod(path, mode)
        return path
    }

    private func link(_ name: String, to target: String) -> String {
        // The paths live through the call.
        _ = unsafe symlink(target, directory.file(name))
        return directory.file(name)
    }

    @Test(arguments: [0o700, 0o755, 0o750, 0o1755] as [mode_t])
    func `where only the owner may write nobody else has put anything`(mode: mode_t) {
        let place = make("place", mode: mode)
        #expect(SocketWay.openDirectory(to: place + "/socket") == nil)
        #expect(SocketWay.openDirectory(to: link("link", to: place + "/socket")) == nil)
        #expect(SocketWay.openDirectory(to: link("relative", to: "place/../place/./socket")) == nil)
    }

    @Test(arguments: [0o777, 0o775, 0o757, 0o1777] as [mode_t])
    func `where others may write they may have put it, also where a link leads`(mode: mode_t) {
        let place = make("place", mode: mode)
        let safe = make("safe")
        #expect(SocketWay.openDirectory(to: place + "/socket") == place)
        directory.write("", to: "place/socket")
        #expect(SocketWay.openDirectory(to: link("link", to: place + "/socket")) == place)
        #expect(SocketWay.openDirectory(to: link("place/link", to: safe + "/socket")) == place)
    }

    @Test func `a directory of its own is as good in one where nobody else can replace it, and in no other`() {
        let shared = make("shared", mode: 0o1777)
        _ = make("shared/own", mode: 0o700)
        #expect(SocketWay.openDirectory(to: shared + "/own/socket") == nil)
        let open = make("open", mode: 0o777)
        _ = make("open/own", mode: 0o700)
        #expect(SocketWay.openDirectory(to: open + "/own/socket") == open)
    }

    /// Asks a daemon that is none of the trusted users'.
    private func search(at path: String, trusting users: Set<UInt32> = [], seen: Seen) throws -> Run {
        let daemon = try FakeDaemon(at: path) { connection in
            seen.add(contentsOf: try connection.line().map { [$0] } ?? [])
            try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#)
        }
        return Run(["ping"], in: directory, socket: daemon.path, trustedUsers: users)
    }

    @Test func `a stranger's server where others may write is told nothing`() throws {
        let place = make("place", mode: 0o1777)
        let seen = Seen()
        let run = try search(at: place + "/socket", seen: seen)
        #expect(run.status == .notAllowed)
        #expect(
            run.errors.contains("belongs to user \(geteuid()), and others can write to \(place), so it is not used")
        )
        #expect(run.errors.contains("with --socket or"))
        #expect(seen.wait(for: 1).isEmpty)
    }

    @Test func `a stranger's where nobody else may write is asked, as is one's own anywhere`() throws {
        let seen = Seen()
        #expect(try search(at: make("safe") + "/socket", seen: seen).status == .found)
        let shared = make("place", mode: 0o1777)
        #expect(try search(at: shared + "/socket", trusting: [geteuid()], seen: seen).status == .found)
        #expect(seen.wait(for: 2).count == 2)
    }
}

struct DaemonOwnerTests {
    private static let own = "/run/user/1000/searchd.sock"

    @Test func `the daemon on the system's socket is the system's, another is one's own or another user's`() {
        func text(_ user: UInt32?, _ path: String) -> String {
            DaemonOwner.text(daemonUser: user, path: path, userID: 1000)
        }
        for user: UInt32? in [0, 1000, nil] { #expect(text(user, SocketPlan.systemPath) == "the system's") }
        #expect(text(1000, Self.own) == "your" && text(nil, Self.own) == "your")
        #expect(text(1001, Self.own) == "user 1001's")
    }
}
