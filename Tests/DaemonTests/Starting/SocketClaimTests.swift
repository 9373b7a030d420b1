import CPlatform
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// Each start is one call; the program's own starts are in `StartingTests`.
@Suite struct SocketClaimTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("searchd.sock") }

    @Test func `a claim makes a socket that everybody may connect to, and leaves nothing else but its lock`() throws {
        guard case .claimed(let claim, let listener) = try SocketClaim.claim(path, userID: geteuid()) else {
            throw TestFailure("not claimed")
        }
        #expect(directory.mode(of: "searchd.sock") == S_IFSOCK | SocketFile.mode)
        #expect(directory.mode(of: "searchd.sock.lock") == S_IFREG | 0o600)
        #expect(directory.names == ["searchd.sock", "searchd.sock.lock"])
        let client = try UnixAddress(path).connect()
        guard let accepted = try SystemCall.accept(listener.raw) else { throw TestFailure("nobody came") }
        #expect(accepted.raw != client.raw)
        claim.release()
    }

    @Test func `while one holds the path nobody else gets it, afterwards anybody does`() throws {
        for _ in 1...3 {
            guard case .claimed(let claim, let listener) = try SocketClaim.claim(path, userID: geteuid()) else {
                throw TestFailure("not claimed")
            }
            #expect(try isHeld())
            #expect(listener.raw > 2)
            claim.release()
        }
    }

    @Test func `a socket that nobody serves is replaced`() throws {
        do {
            let stale = try UnixAddress(path).bind()
            #expect(stale.raw > 2)
        }
        #expect(directory.isSocket("searchd.sock"))
        #expect(try !isHeld())
    }

    @Test func `a socket that is served without a lock is left to whoever serves it`() throws {
        let served = try UnixSocket.listen(at: path, backlog: 4)
        #expect(try isHeld())
        #expect(try UnixSocket.isServed(path))
        #expect(served.raw > 2)
    }

    @Test func `a lock file that is removed does not let another in`() throws {
        guard case .claimed(let claim, let listener) = try SocketClaim.claim(path, userID: geteuid()) else {
            throw TestFailure("not claimed")
        }
        #expect(unsafe unlink(path + ".lock") == 0)
        #expect(try isHeld())
        #expect(listener.raw > 2)
        claim.release()
    }

    @Test func `what stands in the lock's place and is no file is refused`() {
        #expect(unsafe symlink(directory.file("elsewhere"), path + ".lock") == 0)
        #expect(throws: StartError.self) { try isHeld() }
        #expect(directory.mode(of: "elsewhere") == nil)
        #expect(unsafe unlink(path + ".lock") == 0)
        directory.makeDirectory("searchd.sock.lock")
        #expect(throws: StartError.self) { try isHeld() }
    }

    /// Whether somebody else has the path; when not, it is claimed and let go.
    private func isHeld() throws(StartError) -> Bool {
        switch try SocketClaim.claim(path, userID: geteuid()) {
        case .claimed(let claim, _):
            claim.release()
            return false
        case .held: return true
        }
    }
}
