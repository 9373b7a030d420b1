/// The ids of all that a user has saved, as hashes: whether a hit is one of them is known without the disk.
///
/// A hit that is not saved is taken for one with a chance of one in 2^64 for each that is; sources choose the ids, but
/// can't know the seed of this process's hashes.
package struct SavedIDs: Equatable, Sendable {
    private var hashes: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { hashes.isEmpty }
    package var count: Int { hashes.count }

    package func contains(_ id: String) -> Bool { hashes.contains(Self.hash(id)) }

    package mutating func insert(_ id: String) { hashes.insert(Self.hash(id)) }

    package mutating func remove(_ id: String) { hashes.remove(Self.hash(id)) }

    package mutating func apply(_ change: LibraryChange) {
        for item in change.inserted { insert(item.id) }
        for id in change.deleted { remove(id) }
    }

    private static func hash(_ id: String) -> Int {
        var (hasher, id) = (Hasher(), id)
        // The pointer stays within the call.
        id.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return hasher.finalize()
    }
}
