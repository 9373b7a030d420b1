/// The requests in flight on one connection: sent together, with rising ids, answered in any order.
///
/// Invariant: bit `n` of `waiting` is set as long as the request `firstID + n` has no answer.
struct Batch: Equatable, Sendable {
    private var firstID = 0
    private var waiting: UInt64 = 0

    /// When the batch was sent.
    private(set) var sentAt: Int64 = 0

    /// Every request has its answer.
    var isAnswered: Bool { waiting == 0 }

    /// Requests `firstID ..< firstID + depth` leave now; those before must have been answered.
    mutating func send(firstID: Int, depth: Int, now: Int64) {
        precondition(isAnswered && depth > 0 && depth <= Scenario.depthMax)
        self.firstID = firstID
        waiting = depth == UInt64.bitWidth ? .max : 1 << UInt64(depth) - 1
        sentAt = now
    }

    /// Notes an answer; returns the id of its request, or nil when there is no such request in flight.
    ///
    /// An answer without an id, from a peer that answers in order, answers the oldest request.
    mutating func answered(id: Int?) -> Int? {
        guard waiting != 0 else { return nil }
        let bit = id.map { $0 - firstID } ?? waiting.trailingZeroBitCount
        guard bit >= 0, bit < UInt64.bitWidth, waiting & (1 << UInt64(bit)) != 0 else { return nil }
        waiting &= ~(1 << UInt64(bit))
        return firstID + bit
    }
}
