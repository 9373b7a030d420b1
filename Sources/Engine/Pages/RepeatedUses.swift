import Synchronization

/// Counts the pages in answers that were repeated without asking the cache, so that its figures are of every use.
package final class RepeatedUses: Sendable {
    private let pages = Atomic(0)

    package init() {}

    package var count: Int { pages.load(ordering: .relaxed) }

    /// Called by one thread only, which saves the cost of an atomic addition.
    package func add(_ count: Int) {
        pages.store(pages.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }
}
