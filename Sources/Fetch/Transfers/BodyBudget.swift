import Synchronization

/// The bytes of response bodies that a client and its callers hold at the same time.
///
/// Invariant: 0 ≤ used ≤ bytesMax. Only what a body has beyond its first `freeBytes` counts, so that usual responses
/// come through while large ones fill the budget.
final class BodyBudget: Sendable {
    static let freeBytes = 64 << 10

    private let bytesMax: Int
    private let used = Atomic(0)

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    fileprivate func take(_ bytes: Int) -> Bool {
        guard used.wrappingAdd(bytes, ordering: .relaxed).newValue > bytesMax else { return true }
        giveBack(bytes)
        return false
    }

    fileprivate func giveBack(_ bytes: Int) {
        used.wrappingSubtract(bytes, ordering: .relaxed)
    }
}

/// One body's part of a budget, given back with the last reference: the exchange's, then the caller's.
final class BodyShare: Sendable {
    private let budget: BodyBudget
    /// Changed on the loop's thread only.
    private let taken = Atomic(0)

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        budget.giveBack(taken.load(ordering: .relaxed))
    }

    /// Makes room for a body of so many bytes; false when the budget lacks it.
    func grow(to bodyBytes: Int) -> Bool {
        let more = max(0, bodyBytes - BodyBudget.freeBytes) - taken.load(ordering: .relaxed)
        guard more > 0 else { return true }
        guard budget.take(more) else { return false }
        taken.wrappingAdd(more, ordering: .relaxed)
        return true
    }
}
