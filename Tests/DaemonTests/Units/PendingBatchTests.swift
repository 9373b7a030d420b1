import EventLoop
import RPC
import SearchModel
import Testing

@testable import Daemon

@Suite struct PendingBatchTests {
    private static let now = Instant(nanoseconds: 0)

    /// A batch of three messages of one byte.
    private func makeBatch() -> PendingBatch {
        let line = Array("[1,2,3]".utf8)
        return unsafe line.withUnsafeBytes { unsafe PendingBatch($0, messages: [1..<2, 3..<4, 5..<6]) }
    }

    private func begin(_ batch: PendingBatch) -> String {
        var text = ""
        unsafe batch.beginNext { unsafe text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    private func answer(_ batch: PendingBatch) {
        batch.add(.result([UInt8(ascii: "7")]), to: .null, now: Self.now)
    }

    @Test func `it is complete when all messages have begun and are answered`() throws {
        let batch = makeBatch()
        #expect(begin(batch) == "1")
        batch.expect()
        answer(batch)
        #expect(!batch.isComplete)
        #expect(begin(batch) == "2" && begin(batch) == "3")
        #expect(batch.hasBegun && batch.isComplete)
        let line = String(decoding: try #require(batch.takeLine()), as: UTF8.self)
        #expect(line == #"[{"jsonrpc":"2.0","id":null,"result":7}]"# + "\n")
    }

    @Test func `it waits for the last answer, and counts what it holds`() throws {
        let batch = makeBatch()
        for _ in 1...3 {
            _ = begin(batch)
            batch.expect()
        }
        #expect(!batch.isComplete && batch.bytes == 0)
        for _ in 1...3 { answer(batch) }
        #expect(batch.isComplete && batch.bytes > 100)
        #expect(batch.room == SessionLimits.answerBytes - batch.bytes)
        #expect(try #require(batch.takeLine()).count(of: "\"result\":7") == 3)
    }

    @Test func `one of only notifications has nothing to send`() {
        let batch = makeBatch()
        for _ in 1...3 { _ = begin(batch) }
        #expect(batch.isComplete && batch.takeLine() == nil)
    }
}
