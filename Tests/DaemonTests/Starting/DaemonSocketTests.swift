import CPlatform
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// Tests the functions that lock socket paths.
@Suite struct DaemonSocketTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("s") }

    private func claim() throws -> DaemonSocket {
        try #require(try DaemonSocket.claim(path, userID: geteuid()))
    }

    private func isHeld() throws -> Bool {
        guard let socket = try DaemonSocket.claim(path, userID: geteuid()) else { return true }
        close(socket.listener)
        return false
    }

    @Test func `a new socket accepts every user, and the only other file is its lock file`() throws {
        let socket = try claim()
        defer { close(socket.listener) }
        #expect(directory.mode(of: "s") == S_IFSOCK | DaemonSocket.mode)
        #expect(directory.mode(of: "s.lock") == S_IFREG | 0o600)
        #expect(directory.names == ["s", "s.lock"])
        let client = try UnixAddress(path).connect()
        let accepted = try SystemCall.accept(socket.listener)?.release()
        #expect(accepted != client.raw)
        accepted.map { _ = close($0) }
    }

    @Test func `a path has one daemon at a time, even if the lock file was removed`() throws {
        for _ in 1...3 {
            let socket = try claim()
            #expect(try isHeld())
            #expect(unsafe unlink(path + ".lock") == 0)
            #expect(try isHeld())
            close(socket.listener)
        }
    }

    @Test func `a stale socket is replaced, and a served socket is not`() throws {
        let served = try UnixSocket.listen(at: path, backlog: 4).release()
        #expect(try isHeld())
        close(served)
        #expect(directory.isSocket("s"))
        #expect(try !isHeld())
    }

    @Test func `a link or a directory in place of the lock file is refused`() {
        #expect(unsafe symlink(directory.file("elsewhere"), path + ".lock") == 0)
        #expect(throws: StartError.self) { try isHeld() }
        #expect(directory.mode(of: "elsewhere") == nil)
        #expect(unsafe unlink(path + ".lock") == 0)
        directory.makeDirectory("s.lock")
        #expect(throws: StartError.self) { try isHeld() }
    }

    @Test func `a socket removes its file, unless another file has taken its path`() throws {
        let socket = try claim()
        defer { close(socket.listener) }
        #expect(unsafe rename(path, directory.file("moved")) == 0)
        directory.write("precious", to: "s")
        socket.remove()
        #expect(directory.contents(of: "s") == "precious")
        #expect(unsafe rename(directory.file("moved"), path) == 0)
        socket.remove()
        #expect(directory.names == ["s.lock"])
    }

    private func refusal(_ path: String) -> StartError? {
        #expect(throws: StartError.self) { try DaemonSocket.check(path, userID: geteuid()) }
    }

    @Test func `a path of a file that is not a socket is refused, and the file is unchanged`() {
        directory.write("precious", to: "file")
        directory.makeDirectory("directory")
        #expect(unsafe symlink(directory.file("file"), directory.file("link")) == 0)
        #expect(unsafe symlink(directory.file("missing"), directory.file("dangling")) == 0)
        for name in ["file", "directory", "link", "dangling"] {
            #expect(refusal(directory.file(name))?.message.contains(directory.file(name)) == true)
        }
        #expect(directory.contents(of: "file") == "precious")
    }

    @Test func `a path that is relative or too long is refused`() throws {
        let room = DaemonSocket.pathBytesMax - directory.path.utf8.count - 1
        try DaemonSocket.check(directory.file(String(repeating: "s", count: room)), userID: geteuid())
        let error = refusal(directory.file(String(repeating: "s", count: room + 1)))
        #expect(error?.message.contains("\(DaemonSocket.pathBytesMax)") == true)
        for path in ["relative/s", "s", ""] { #expect(refusal(path) != nil) }
    }
}
