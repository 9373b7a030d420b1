import Glibc
import TestSupport
import Testing

@testable import Client

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
    func `where others may write they may have put it, wherever the way leads through there`(mode: mode_t) {
        let place = make("place", mode: mode)
        let safe = make("safe")
        #expect(SocketWay.openDirectory(to: place + "/socket") == place)
        #expect(SocketWay.openDirectory(to: link("link", to: place + "/socket")) == place)
        #expect(SocketWay.openDirectory(to: link("place/link", to: safe + "/socket")) == place)
        #expect(SocketWay.openDirectory(to: link("place/way", to: safe) + "/socket") == place)
        #expect(SocketWay.openDirectory(to: link("far", to: link("place/far", to: "../safe/socket"))) == place)
    }

    @Test func `a directory of its own is as good in one where nobody else can replace it, and in no other`() {
        let shared = make("shared", mode: 0o1777)
        _ = make("shared/own", mode: 0o700)
        #expect(SocketWay.openDirectory(to: shared + "/own/socket") == nil)
        let open = make("open", mode: 0o777)
        _ = make("open/own", mode: 0o700)
        #expect(SocketWay.openDirectory(to: open + "/own/socket") == open)
    }

    @Test func `links in a circle end`() {
        let first = link("first", to: directory.file("second"))
        _ = link("second", to: first)
        #expect(SocketWay.openDirectory(to: first) != nil)
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
