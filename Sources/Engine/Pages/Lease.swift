import Synchronization

/// Says whether what was built from something may still be used; ended once, from any thread, and never renewed.
package final class Lease: Sendable {
    private let ended = Atomic(false)

    package init() {}

    package var isEnded: Bool { ended.load(ordering: .relaxed) }

    package func end() {
        ended.store(true, ordering: .relaxed)
    }
}
