import Synchronization

/// Says whether what was built from something may still be used, and whether it has been; ended once, from any thread.
package final class Lease: Sendable {
    private let ended = Atomic(false)
    private let used = Atomic(false)

    package init() {}

    package var isEnded: Bool { ended.load(ordering: .relaxed) }

    package func end() {
        ended.store(true, ordering: .relaxed)
    }

    /// Notes a use: the whole cost of a hit.
    package func use() {
        // Read first: the mark is mostly there already, and a store would take the line from other readers.
        if !used.load(ordering: .relaxed) { used.store(true, ordering: .relaxed) }
    }

    /// Whether it was used since this was last asked.
    package func takeUse() -> Bool {
        used.exchange(false, ordering: .relaxed)
    }
}
