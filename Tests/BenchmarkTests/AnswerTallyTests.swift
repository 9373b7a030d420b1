import TestSupport
import Testing

@testable import Benchmark

@Suite struct AnswerTallyTests {
    private static let traffic = Traffic(
        (0..<4).map { index in
            Traffic.Exchange(
                head: Array("{\"id\":".utf8),
                tail: Array(",\"q\":\(index)}\n".utf8),
                mark: Array("\"q\(index)\"".utf8),
                length: 30...80
            )
        },
        framing: .jsonRPC
    )

    private func answer(_ id: Int, mark: Int? = nil) -> [UInt8] {
        Array("{\"jsonrpc\":\"2.0\",\"id\":\(id),\"result\":{\"q\":\"q\(mark ?? id % 4)\"}}\n".utf8)
    }

    private func sent(_ tally: inout AnswerTally, firstID: Int, depth: Int) -> Batch {
        var batch = Batch()
        batch.send(firstID: firstID, depth: depth, now: 1_000)
        tally.sent(depth)
        return batch
    }

    @Test func `requests rotate and carry rising ids`() {
        var bytes: [UInt8] = []
        for id in [3, 4, 5, 1_000_000] { Self.traffic.appendRequest(id: id, to: &bytes) }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        #expect(
            lines == ["{\"id\":3,\"q\":3}", "{\"id\":4,\"q\":0}", "{\"id\":5,\"q\":1}", "{\"id\":1000000,\"q\":0}"]
        )
    }

    @Test func `answers in any order complete a batch`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 10, depth: 3)
        let bytes = answer(12) + answer(10) + answer(11)
        #expect(try tally.take(bytes.span, for: &batch, now: 1_500) == bytes.count)
        #expect(batch.isAnswered)
        #expect(tally.right == 3)
        #expect(tally.wrong == 0)
        #expect(tally.waiting == 0)
        #expect(tally.latencies.percentile(1) == 501)
        #expect(tally.arrivals == 1_500...1_500)
    }

    @Test func `bytes may arrive in any pieces`() throws {
        var generator = SeededGenerator(seed: testSeed())
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 0, depth: 64)
        let all = (0..<64).shuffled(using: &generator).flatMap { answer($0) }
        var partial: [UInt8] = []
        var offset = 0
        while offset < all.count {
            let next = min(all.count, offset + Int.random(in: 1...200, using: &generator))
            partial += all[offset..<next]
            offset = next
            partial.removeFirst(try tally.take(partial.span, for: &batch, now: 2_000))
        }
        #expect(partial.isEmpty)
        #expect(tally.right == 64)
        #expect(tally.wrong == 0)
        #expect(batch.isAnswered)
    }

    @Test func `an answer to another question is wrong`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 1, depth: 1)
        _ = try tally.take(answer(1, mark: 2).span, for: &batch, now: 0)
        #expect(tally.right == 0)
        #expect(tally.wrong == 1)
        #expect(tally.waiting == 0)
        #expect(tally.firstWrong?.contains("\"q2\"") == true)
    }

    @Test func `an answer of another length is wrong`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 1, depth: 1)
        let long = answer(1).dropLast() + [UInt8](repeating: 32, count: 80) + [10]
        _ = try tally.take(Array(long).span, for: &batch, now: 0)
        #expect(tally.wrong == 1)
    }

    @Test func `an answer to no request, or a second one, is wrong`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 1, depth: 2)
        _ = try tally.take((answer(9) + answer(1) + answer(1)).span, for: &batch, now: 0)
        #expect(tally.right == 1)
        #expect(tally.wrong == 2)
        #expect(tally.waiting == 1)
    }

    @Test func `an error answer ends the wait of the oldest request`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 1, depth: 2)
        let error = Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n".utf8)
        _ = try tally.take((error + answer(2)).span, for: &batch, now: 0)
        #expect(batch.isAnswered)
        #expect(tally.right == 1)
        #expect(tally.wrong == 1)
    }

    @Test func `what can't be framed ends the measurement`() {
        var tally = AnswerTally(Traffic([.init(head: [], length: 1...9)], framing: .bulk))
        var batch = sent(&tally, firstID: 1, depth: 1)
        #expect(throws: BenchmarkError(.answer, "")) {
            _ = try tally.take(Array("$2\r\nabcd\r\n".utf8).span, for: &batch, now: 0)
        }
    }

    @Test func `starting again forgets what was right and keeps what was wrong`() throws {
        var tally = AnswerTally(Self.traffic)
        var batch = sent(&tally, firstID: 0, depth: 2)
        _ = try tally.take((answer(0) + answer(1, mark: 3)).span, for: &batch, now: 0)
        tally.restart()
        #expect(tally.right == 0)
        #expect(tally.latencies.count == 0)
        #expect(tally.wrong == 1)
    }

    @Test func `a batch of the greatest depth has room for every answer`() {
        var batch = Batch()
        batch.send(firstID: 100, depth: Scenario.depthMax, now: 7)
        for id in 100..<164 { #expect(batch.answered(id: id) == id) }
        #expect(batch.isAnswered)
        #expect(batch.answered(id: 100) == nil)
        #expect(batch.answered(id: nil) == nil)
    }

    @Test func `a peer without ids answers in order`() {
        var batch = Batch()
        batch.send(firstID: 5, depth: 2, now: 7)
        #expect(batch.answered(id: nil) == 5)
        #expect(batch.answered(id: 7) == nil)
        #expect(batch.answered(id: -60) == nil)
        #expect(batch.answered(id: nil) == 6)
    }
}
