import EventLoop
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

    @Test func `the option wins over everything`() throws {
        let plan = try plan("/a", ["SEARCHD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/c"])
        #expect(plan.candidates == ["/a"])
        #expect(plan.startPath == "/a")
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
        #expect(chosen == .own("/tmp/s"))
    }

    @Test(arguments: [(true, true), (false, false)])
    func `a user starts a daemon of one's own, unless it is the service that is stopped`(
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
        #expect(start(chosen) == .own("/tmp/s"))
        #expect(chosen.start(userID: 1000, hasService: true, isListening: false) == .own("/tmp/s"))
        #expect(start(try plan()) == nil)
    }

    @Test func `the environment wins over the usual places`() throws {
        let plan = try plan(nil, ["SEARCHD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/c"])
        #expect(plan.candidates == ["/b"])
        #expect(plan.startPath == "/b")
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
