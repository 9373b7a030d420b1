import RPC

/// The answers of one batch, until all of them are there.
///
/// Confined to the switchboard.
final class PendingBatch {
    private var outstanding = 0
    private var isSealed = false
    private var answers: [(RequestID, Reply)] = []

    /// A message of the batch that will be answered.
    func expect() {
        outstanding += 1
    }

    func add(_ id: RequestID, _ reply: Reply) {
        outstanding -= 1
        answers.append((id, reply))
    }

    /// All messages have been begun.
    func seal() {
        isSealed = true
    }

    /// Everything to write when the batch is complete, once; empty when it asks for no answer.
    func takeItems() -> [Outbox.Item]? {
        guard isSealed, outstanding == 0 else { return nil }
        var items: [Outbox.Item] = []
        for (index, answer) in answers.enumerated() {
            items.append(.text([index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ",")]))
            items.append(.answer(answer.0, answer.1))
        }
        if !answers.isEmpty { items.append(.text(Array("]\n".utf8))) }
        answers = []
        isSealed = false
        return items
    }
}
