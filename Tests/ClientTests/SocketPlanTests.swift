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
    func `if the systemd service is installed, root never starts another daemon`(runtime: String?) throws {
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
    func `a user starts no daemon if a socket was chosen or the service is stopped`(
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

    @Test func `the user's socket takes precedence over the system's socket`() throws {
        for directory in ["/run/user/1000", "/run/user/1000/"] {
            let plan = try plan(nil, ["XDG_RUNTIME_DIR": directory, "SEARCHD_SOCKET": ""])
            #expect(plan.candidates == ["/run/user/1000/searchd.sock", "/run/searchd/searchd.sock"])
            #expect(plan.startPath == "/run/user/1000/searchd.sock")
        }
    }

    @Test func `without a runtime directory, the user's daemon listens in the state directory`() throws {
        let plan = try plan(nil, ["HOME": "/h"])
        #expect(plan.candidates == ["/h/.local/state/searchd/run/searchd.sock", "/run/searchd/searchd.sock"])
        #expect(plan.startPath == "/h/.local/state/searchd/run/searchd.sock")
        #expect(try self.plan(nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"]).startPath == "/s/searchd/run/searchd.sock")
    }

    @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "relative"]])
    func `without any directory, only root starts a daemon`(environment: [String: String]) throws {
        #expect(try plan(nil, environment).candidates == ["/run/searchd/searchd.sock"])
        #expect(try plan(nil, environment).startPath == nil)
        #expect(try plan(nil, environment, userID: 0).startPath == "/run/searchd/searchd.sock")
    }

    @Test func `the length of a socket path is limited`() throws {
        let fits = "/" + String(repeating: "x", count: SocketPlan.pathBytesMax - 1)
        #expect(try plan(fits).candidates == [fits])
        #expect(throws: ClientError.self) { try plan(fits + "x") }
        #expect(try unsafe UnixSocket.withAddress(fits) { _, _ in 0 } == 0)
        #expect(throws: SystemError.self) { try unsafe UnixSocket.withAddress(fits + "x") { _, _ in 0 } }
    }
}

/// Tests that no request goes to a socket that another user may have created.
struct SocketTrustTests {
    private let directory = TemporaryDirectory()

    private func make(_ name: String, mode: mode_t = 0o755) -> String {
        let path = directory.file(name)
        // The paths are valid during the calls. The second call sets the bits that the umask removed.
        _ = unsafe mkdir(path, mode)
        _ = unsafe chmod(path, mode)
        return path
    }

    private func link(_ name: String, to target: String) -> String {
        // The paths are valid during the call.
        _ = unsafe symlink(target, directory.file(name))
        return directory.file(name)
    }

    @Test(arguments: [0o700, 0o755, 0o750, 0o1755] as [mode_t])
    func `a directory that only its owner can write to is safe`(mode: mode_t) {
        let place = make("place", mode: mode)
        #expect(SocketTrust.openDirectory(to: place + "/socket") == nil)
        #expect(SocketTrust.openDirectory(to: link("link", to: place + "/socket")) == nil)
        #expect(SocketTrust.openDirectory(to: link("relative", to: "place/../place/./socket")) == nil)
    }

    @Test(arguments: [0o777, 0o775, 0o757, 0o1777] as [mode_t])
    func `a socket in a directory that others can write to is unsafe, even behind a link`(mode: mode_t) {
        let place = make("place", mode: mode)
        let safe = make("safe")
        #expect(SocketTrust.openDirectory(to: place + "/socket") == place)
        directory.write("", to: "place/socket")
        #expect(SocketTrust.openDirectory(to: link("link", to: place + "/socket")) == place)
        #expect(SocketTrust.openDirectory(to: link("place/link", to: safe + "/socket")) == place)
    }

    @Test func `a private directory is unsafe if others can rename or remove it in its parent`() {
        let shared = make("shared", mode: 0o1777)
        _ = make("shared/own", mode: 0o700)
        #expect(SocketTrust.openDirectory(to: shared + "/own/socket") == nil)
        let open = make("open", mode: 0o777)
        _ = make("open/own", mode: 0o700)
        #expect(SocketTrust.openDirectory(to: open + "/own/socket") == open)
    }

    private func search(at path: String, trusting users: Set<UInt32> = [], seen: Seen) throws -> Run {
        let daemon = try FakeDaemon(at: path) { connection in
            seen.add(contentsOf: try connection.line().map { [$0] } ?? [])
            try connection.send(#"{"jsonrpc":"2.0","id":1,"result":{"uptime":1}}"#)
        }
        return Run(["ping"], in: directory, socket: daemon.path, trustedUsers: users)
    }

    @Test func `an untrusted user's socket gets no request if others can write to its directory`() throws {
        let place = make("place", mode: 0o1777)
        let seen = Seen()
        let run = try search(at: place + "/socket", seen: seen)
        #expect(run.status == .notAllowed)
        let user = UserName.text(geteuid())
        #expect(
            run.errors.contains(
                "belongs to user \(user), and other users can write to \(place), so the socket is not used"
            )
        )
        #expect(run.errors.contains("--socket or"))
        #expect(seen.wait(for: 1).isEmpty)
    }

    @Test func `an untrusted user's socket needs a safe directory, but a trusted user's does not`() throws {
        let seen = Seen()
        #expect(try search(at: make("safe") + "/socket", seen: seen).status == .found)
        let shared = make("place", mode: 0o1777)
        #expect(try search(at: shared + "/socket", trusting: [geteuid()], seen: seen).status == .found)
        #expect(seen.wait(for: 2).count == 2)
    }
}

struct DaemonOwnerTests {
    private static let own = "/run/user/1000/searchd.sock"

    @Test func `the owner of a daemon is the system, the same user or another user`() {
        func text(_ user: UInt32?, _ path: String) -> String {
            DaemonOwner.text(daemonUser: user, path: path, userID: 1000)
        }
        for user: UInt32? in [0, 1000, nil] { #expect(text(user, SocketPlan.systemPath) == "the system's") }
        #expect(text(1000, Self.own) == "your" && text(nil, Self.own) == "your")
        #expect(text(1001, Self.own) == "user 1001's")
    }
}
