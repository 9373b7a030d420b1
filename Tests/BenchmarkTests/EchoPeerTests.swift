import CEchoPeer
import Glibc
import Testing

@testable import Benchmark

@Suite struct EchoPeerTests {
    private static let answerBytes = 4_096

    /// A server on a thread of its own that serves until the tests end.
    private func serve(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("socket")
        var thread = pthread_t()
        // The thread owns this copy of the path, and never ends: it is never freed.
        let copy = try unsafe #require(strdup(path))
        let failure = unsafe pthread_create(
            &thread,
            nil,
            { path in
                if let path = unsafe path {
                    // It is the copy made above, of characters.
                    _ = unsafe echo_peer_run(path.assumingMemoryBound(to: CChar.self), EchoPeerTests.answerBytes)
                }
                return nil
            },
            copy
        )
        try #require(failure == 0)
        while (try? Connection.unix(path)) == nil { sched_yield() }
        return path
    }

    private func isAnswer(_ frame: [UInt8]) -> Bool {
        frame.count == Self.answerBytes && frame.last == 10 && frame.dropLast().allSatisfy { $0 == 120 }
    }

    @Test func `each line gets the same answer, however it arrives`() throws {
        let directory = try TemporaryDirectory()
        let dialogue = try Dialogue(Connection.unix(serve(in: directory)))
        for piece in ["a", "bc\n", "\n", "d\ne", "\n"] { try dialogue.send(Array(piece.utf8)) }
        for _ in 0..<4 { #expect(isAnswer(try dialogue.frame(.line))) }
    }

    @Test func `a client that reads late gets every answer, and others do not wait for it`() throws {
        let directory = try TemporaryDirectory()
        let path = try serve(in: directory)
        let late = try Dialogue(Connection.unix(path))
        // Far more than fits into the sockets between the two.
        let lines = 2_000
        try late.send([UInt8](repeating: 10, count: lines))
        let other = try Dialogue(Connection.unix(path))
        try other.send([10])
        #expect(isAnswer(try other.frame(.line)))
        for _ in 0..<lines { #expect(isAnswer(try late.frame(.line))) }
        try late.send([10])
        #expect(isAnswer(try late.frame(.line)))
    }

    @Test func `a client that leaves before its answers harms nobody`() throws {
        let directory = try TemporaryDirectory()
        let path = try serve(in: directory)
        do {
            let leaving = try Dialogue(Connection.unix(path))
            try leaving.send([UInt8](repeating: 10, count: 1_000))
        }
        let other = try Dialogue(Connection.unix(path))
        try other.send([10])
        #expect(isAnswer(try other.frame(.line)))
    }

    @Test func `a path that is too long is refused`() {
        let error = EchoPeer.run(socketPath: "/tmp/" + String(repeating: "x", count: 200), answerBytes: 1)
        #expect(error.code == .system)
        #expect(error.message.contains("too long"))
    }
}
