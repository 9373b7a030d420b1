import Testing

@testable import EventLoop

struct SocketLocationTests {
    private func location(
        userID: UInt32 = 7,
        runtime: String? = nil,
        stateHome: String? = nil,
        login: String? = nil
    ) -> SocketLocation {
        SocketLocation(userID: userID, runtime: runtime, stateHome: stateHome) { _ in login }
    }

    @Test func `the runtime directory comes first, then the user's state directory, then the system's directory`() {
        #expect(
            location(runtime: "/r", stateHome: "/h", login: "/l").paths == [
                "/r/searchd.sock", "/h/searchd/run/searchd.sock", "/run/searchd/searchd.sock",
            ]
        )
        #expect(location(runtime: "/r/").paths[0] == "/r/searchd.sock")
        #expect(location(stateHome: "/h", login: "/l").paths[0] == "/l/searchd.sock")
        #expect(location(stateHome: "/h").paths[0] == "/h/searchd/run/searchd.sock")
        #expect(location(stateHome: "/h").privatePath == "/h/searchd/run/searchd.sock")
        #expect(location().paths == ["/run/searchd/searchd.sock"])
    }

    @Test func `root uses the system's daemon unless a runtime directory is given`() {
        #expect(location(userID: 0, stateHome: "/root", login: "/l").paths == ["/run/searchd/searchd.sock"])
        #expect(location(userID: 0, runtime: "/r").paths == ["/r/searchd.sock", "/run/searchd/searchd.sock"])
    }

    @Test func `a state directory with a path too long for a socket is skipped`() {
        let room = SocketLocation.pathBytesMax - "/searchd/run/searchd.sock".utf8.count
        let fits = "/" + String(repeating: "x", count: room - 1)
        #expect(location(stateHome: fits).paths.count == 2)
        #expect(location(stateHome: fits + "x").paths == ["/run/searchd/searchd.sock"])
    }

    @Test func `a runtime directory that does not exist is ignored`() {
        #expect(SocketLocation.loginDirectory(of: 4_294_967_000) == nil)
    }
}
