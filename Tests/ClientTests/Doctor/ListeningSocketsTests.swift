import EventLoop
import TestSupport
import Testing

@testable import Client

struct ListeningSocketsTests {
    @Test func `only a socket that something listens on counts, whatever is in its name`() {
        let sockets = ListeningSockets(
            table: """
                Num       RefCount Protocol Flags    Type St Inode Path
                0: 00000003 00000000 00000000 0001 03 5673954
                0: 00000002 00000000 00010000 0001 01  5674518 /run/one two.sock
                0: 00000003 00000000 00000000 0001 03 5674519 /run/connected.sock
                """
        )
        #expect(sockets.contains("/run/one two.sock"))
        #expect(!sockets.contains("/run/connected.sock"))
        #expect(!sockets.contains(""))
    }

    @Test func `a file that a daemon has left behind is none`() throws {
        let directory = TemporaryDirectory()
        let path = directory.file("s")
        do {
            let listener = try UnixSocket.listen(at: path, backlog: 1)
            #expect(ListeningSockets.all.contains(path))
            _ = consume listener
        }
        #expect(PathFacts(of: path) != nil)
        #expect(!ListeningSockets.all.contains(path))
    }
}
