import RPC

/// The answers of one batch: held until all of them are there, or written as they come once they are too many to hold.
///
/// Confined to the loop.
final class PendingBatch {
    private var outstanding = 0
    private var isSealed = false
    private var answers: [(RequestID, Reply)] = []
    /// Of the answers that are held.
    private(set) var bytesHeld = 0
    /// Whether its line has begun and not ended: nothing else may be written before it ends.
    private(set) var isOpen = false

    /// Whether every message has been begun and answered.
    var isComplete: Bool { isSealed && outstanding == 0 }

    /// A message of the batch that will be answered.
    func expect() {
        outstanding += 1
    }

    func add(_ id: RequestID, _ reply: Reply) {
        outstanding -= 1
        answers.append((id, reply))
        bytesHeld += reply.bytesMax
    }

    /// All messages have been begun.
    func seal() {
        isSealed = true
    }

    /// What to write by now: the answers that are held, and the line's end when the batch is complete.
    ///
    /// Nothing for a batch that asks for no answer.
    func takeItems() -> [Outbox.Item] {
        var items: [Outbox.Item] = []
        for (id, reply) in answers {
            items.append(.text(WireLine.batchSeparator(isFirst: !isOpen)))
            items.append(.answer(id, reply))
            isOpen = true
        }
        answers = []
        bytesHeld = 0
        if isComplete, isOpen {
            items.append(.text(WireLine.batchEnd))
            isOpen = false
        }
        return items
    }
}
