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
    private let reply = Reply.result([])

    /// The texts between the answers, with a dot for each of those.
    private func shape(_ items: [Outbox.Item]?) -> String? {
        items?.map { item in
            if case .text(let bytes) = item { String(decoding: bytes, as: UTF8.self) } else { "." }
        }.joined()
    }

    @Test func `it is written once, when all are begun and answered`() {
        batch.expect()
        batch.expect()
        batch.add(id, reply)
        #expect(batch.takeItems() == nil)
        batch.seal()
        #expect(batch.takeItems() == nil)
        batch.add(id, reply)
        #expect(shape(batch.takeItems()) == "[.,.]\n")
        #expect(batch.takeItems() == nil)
    }

    @Test func `answers that come while it is still begun do not end it`() {
        batch.expect()
        batch.add(id, reply)
        #expect(batch.takeItems() == nil)
        batch.expect()
        batch.add(id, reply)
        batch.seal()
        #expect(shape(batch.takeItems()) == "[.,.]\n")
    }

    @Test func `one of only notifications has nothing to write`() {
        batch.seal()
        #expect(shape(batch.takeItems()) == "")
    }
}
