import Synchronization

/// Says whether what was built from something may still be used, and whether it has been; ended once, from any thread.
package final class ValidityToken: Sendable {
    private let ended = Atomic(false)
    private let used = Atomic(false)

    package init() {}

    package var isEnded: Bool { ended.load(ordering: .relaxed) }

    package func end() {
        ended.store(true, ordering: .relaxed)
    }

    /// Notes a use, which is the whole cost of a hit; false when it has ended.
    @discardableResult
    package func use() -> Bool {
        if isEnded { return false }
        // Read first: the mark is mostly there already, and a store would take the line from other readers.
        if !used.load(ordering: .relaxed) { used.store(true, ordering: .relaxed) }
        return true
    }

    /// Whether it was used since this was last asked.
    package func takeUse() -> Bool {
        used.exchange(false, ordering: .relaxed)
    }
}
