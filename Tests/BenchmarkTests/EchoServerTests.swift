import EventLoop
import Glibc
import Testing

@testable import Benchmark

@Suite struct EchoServerTests {
    private static let answerBytes = 4_096

    private func serve(in directory: TemporaryDirectory) throws -> String {
        let path = directory.file("socket")
        _ = try WorkerThread { try? EchoServer.run(socketPath: path, answerBytes: Self.answerBytes) }
        while (try? ServerConnection(path)) == nil { sched_yield() }
        return path
    }

    private func isAnswered(_ dialogue: ServerConnection) -> Bool {
        dialogue.line(until: .max) == [UInt8](repeating: 120, count: Self.answerBytes - 1)
    }

    @Test func `each line gets the same answer, even if it arrives in pieces`() throws {
        let directory = try TemporaryDirectory()
        let dialogue = try ServerConnection(serve(in: directory))
        for piece in ["a", "bc\n", "\n", "d\ne", "\n"] { #expect(dialogue.send(Array(piece.utf8), until: .max)) }
        for _ in 0..<4 { #expect(isAnswered(dialogue)) }
    }

    @Test func `a client that reads late gets all answers and does not delay other clients`() throws {
        let directory = try TemporaryDirectory()
        let path = try serve(in: directory)
        let late = try ServerConnection(path)
        let lines = 2_000
        #expect(late.send([UInt8](repeating: 10, count: lines), until: .max))
        let other = try ServerConnection(path)
        #expect(other.send([10], until: .max))
        #expect(isAnswered(other))
        for _ in 0..<lines { #expect(isAnswered(late)) }
        #expect(late.send([10], until: .max))
        #expect(isAnswered(late))
    }

    @Test func `a client that disconnects early does not affect other clients`() throws {
        let directory = try TemporaryDirectory()
        let path = try serve(in: directory)
        do {
            let leaving = try ServerConnection(path)
            #expect(leaving.send([UInt8](repeating: 10, count: 1_000), until: .max))
        }
        let other = try ServerConnection(path)
        #expect(other.send([10], until: .max))
        #expect(isAnswered(other))
    }
}
