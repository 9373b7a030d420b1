import RPC
import SearchModel
import Testing

@testable import Daemon

@Suite struct AcceptBackoffTests {
    @Test func `the pause doubles to its longest, and begins anew after a success`() {
        var backoff = AcceptBackoff()
        let pauses = (1...8).map { _ in backoff.failed() }
        #expect(pauses.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(pauses.last == AcceptBackoff.longest)
        #expect(pauses == pauses.sorted())
        backoff.succeeded()
        #expect(backoff.failed() == AcceptBackoff.first)
    }
}

@Suite struct PendingBatchTests {
    private let batch = PendingBatch()
    private let id = RequestID.null
    private let reply = Reply.result([1, 2, 3])

    /// The texts between the answers, with a dot for each of those.
    private func shape() -> String {
        batch.takeItems().map { item in
            if case .text(let bytes) = item { String(decoding: bytes, as: UTF8.self) } else { "." }
        }.joined()
    }

    @Test func `it is complete when all are begun and answered, and is written once`() {
        batch.expect()
        batch.expect()
        batch.add(id, reply)
        #expect(!batch.isComplete)
        batch.seal()
        #expect(!batch.isComplete)
        batch.add(id, reply)
        #expect(batch.isComplete && batch.bytesHeld == 6)
        #expect(shape() == "[.,.]\n")
        #expect(batch.bytesHeld == 0 && !batch.isOpen)
        #expect(shape() == "")
    }

    @Test func `answers that come while it is still begun do not complete it`() {
        batch.expect()
        batch.add(id, reply)
        #expect(!batch.isComplete)
        batch.expect()
        batch.add(id, reply)
        batch.seal()
        #expect(shape() == "[.,.]\n")
    }

    @Test func `what is written before its end opens it`() {
        for _ in 1...3 { batch.expect() }
        batch.add(id, reply)
        #expect(shape() == "[.")
        #expect(batch.isOpen)
        batch.add(id, reply)
        batch.seal()
        #expect(shape() == ",.")
        batch.add(id, reply)
        #expect(shape() == ",.]\n")
        #expect(!batch.isOpen)
    }

    @Test func `one of only notifications has nothing to write`() {
        batch.seal()
        #expect(batch.isComplete)
        #expect(shape() == "")
    }
}
