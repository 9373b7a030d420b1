import Synchronization

/// The bytes of all pages and pictures that are alive, held by the cache, walks, searches under way, answers.
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

/// What the allocator takes for a request: blocks in steps of 16 bytes, with 8 bytes of overhead in each.
enum AllocationSize {
    /// What stands before the elements of an array and the bytes of a string.
    private static let headerBytes = 32
    /// A string that is no longer lies where it is named.
    private static let shortTextBytes = 15

    static func bytes(_ asked: Int) -> Int {
        max(32, (asked + 8 + 15) & ~15)
    }

    static func bytes<Element>(of array: [Element]) -> Int {
        array.capacity == 0 ? 0 : bytes(headerBytes + array.capacity * MemoryLayout<Element>.stride)
    }

    static func bytes(of text: String) -> Int {
        let count = text.utf8.count
        return count <= shortTextBytes ? 0 : bytes(headerBytes + count + 1)
    }
}
