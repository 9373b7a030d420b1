import JSON
import RPC
import SearchModel

/// Which hits are in the library, as far as is known here, and up to which of its changes; pure.
struct SavedHits {
    private var ids: Set<ExactText> = []
    private var revision: Int?

    func contains(_ id: ExactText) -> Bool { ids.contains(id) }

    mutating func insert(_ id: ExactText) { ids.insert(id) }
    mutating func formUnion(_ other: some Sequence<ExactText>) { ids.formUnion(other) }
    mutating func remove(_ id: ExactText) { ids.remove(id) }

    /// Asks for the changes from now on, or since the last that is known.
    func follow(_ outbox: inout LiveOutbox) {
        guard let revision else { return outbox.send(.libraryList, .revision) { $0.member(.limit, 1) } }
        outbox.send(.libraryWatch, .watch) { $0.member(.since, revision) }
    }

    mutating func received(revision result: JSONCursor, _ outbox: inout LiveOutbox) {
        revision = result[.revision]?.int ?? 0
        follow(&outbox)
    }

    mutating func received(change: JSONCursor) {
        revision = change[.revision]?.int ?? revision
        for member in [Member.inserted, .updated] {
            change[member]?.forEachElement { insert(ExactText($0[.id]?.string ?? "")) }
        }
        change[.deleted]?.forEachElement { remove(ExactText($0.string ?? "")) }
    }
}
