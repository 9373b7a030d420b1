import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

/// The socket's file by itself.
@Suite struct SocketFileTests {
    private let directory = TemporaryDirectory()
    private let file: SocketFile

    init() {
        file = SocketFile(directory.file("s"))
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
}
