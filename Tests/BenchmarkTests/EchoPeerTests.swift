import EventLoop
import Glibc
import Testing

@testable import Benchmark

@Suite struct EchoPeerTests {
    private static let answerBytes = 4_096

    /// A server on a thread of its own that serves until the tests end.
    private func serve(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("socket")
        _ = try WorkerThread { _ = EchoPeer.run(socketPath: path, answerBytes: Self.answerBytes) }
        while (try? Dialogue(path)) == nil { sched_yield() }
        return path
    }

    private func isAnswer(_ frame: [UInt8]) -> Bool {
        frame.count == Self.answerBytes && frame.last == 10 && frame.dropLast().allSatisfy { $0 == 120 }
    }

    @Test func `each line gets the same answer, however it arrives`() throws {
        let directory = try TemporaryDirectory()
        let dialogue = try Dialogue(serve(in: directory))
        for piece in ["a", "bc\n", "\n", "d\ne", "\n"] { try dialogue.send(Array(piece.utf8)) }
        for _ in 0..<4 { #expect(isAnswer(try dialogue.frame(.line))) }
    }

    @Test func `a client that reads late gets every answer, and others do not wait for it`() throws {
        let directory = try TemporaryDirectory()
        let path = try serve(in: directory)
        let late = try Dialogue(path)
        // Far more than fits into the sockets between the two.
        let lines = 2_000
        try late.send([UInt8](repeating: 10, count: lines))
        let other = try Dialogue(path)
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
            let leaving = try Dialogue(path)
            try leaving.send([UInt8](repeating: 10, count: 1_000))
        }
        let other = try Dialogue(path)
        try other.send([10])
        #expect(isAnswer(try other.frame(.line)))
    }

    @Test func `a path that is too long is refused`() {
        let error = EchoPeer.run(socketPath: "/tmp/" + String(repeating: "x", count: 200), answerBytes: 1)
        #expect(error.code == .system)
        #expect(error.message.contains("too long"))
    }
}
