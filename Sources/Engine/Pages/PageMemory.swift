import Synchronization

/// The bytes of all pages that are alive, whoever holds them: the cache, walks, searches under way, answers.
package final class PageMemory: Sendable {
    private let alive = Atomic(0)

    package init() {}

    package var bytes: Int { alive.load(ordering: .relaxed) }

    func add(_ bytes: Int) {
        alive.add(bytes, ordering: .relaxed)
    }

    func remove(_ bytes: Int) {
        alive.subtract(bytes, ordering: .relaxed)
    }
}
