import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// The socket's file by itself; what the daemon does when it is gone is in `LostSocketTests`.
@Suite struct SocketFileTests {
    private let directory = TemporaryDirectory()
    private let file: SocketFile

    init() {
        file = SocketFile(directory.file("s"))
    }

    @Test func `only the file that was made is one's own`() throws {
        #expect(file.standing == .nothing)
        let listener = try file.replace()
        #expect(file.standing == .own)
        #expect(directory.names == ["s"])
        let other = SocketFile(file.path)
        #expect(other.standing == .other)
        let successor = try other.replace()
        #expect(file.standing == .other && other.standing == .own)
        #expect(listener.raw != successor.raw)
    }

    @Test func `one's own file is removed, and no other`() throws {
        _ = try file.replace()
        #expect(unsafe rename(file.path, directory.file("moved")) == 0)
        file.remove()
        #expect(directory.names == ["moved"])
        directory.write("precious", to: "s")
        file.remove()
        #expect(directory.contents(of: "s") == "precious")
        #expect(unsafe rename(directory.file("moved"), file.path) == 0)
        file.remove()
        #expect(directory.names == [])
    }

    @Test func `it is made again only where nothing stands`() throws {
        let first = try file.replace()
        #expect(throws: SystemError(call: file.path, number: EEXIST)) { _ = try file.restore() }
        #expect(file.standing == .own)
        #expect(unsafe unlink(file.path) == 0)
        let second = try file.restore()
        #expect(file.standing == .own)
        #expect(directory.names == ["s"])
        #expect(directory.mode(of: "s") == S_IFSOCK | SocketFile.mode)
        let client = try UnixAddress(file.path).connect()
        guard let accepted = try SystemCall.accept(second.raw) else { throw TestFailure("nobody came") }
        #expect(try SystemCall.accept(first.raw) == nil)
        #expect(accepted.raw != client.raw)
        #expect(unsafe unlink(file.path) == 0)
        #expect(unsafe symlink(directory.file("nowhere"), file.path) == 0)
        #expect(throws: SystemError(call: file.path, number: EEXIST)) { _ = try file.restore() }
        #expect(directory.names == ["s"])
    }
}
