import JSON
package import SearchModel

/// A change of the library, which is applied completely or not at all.
package enum LibraryRequest: Sendable {
    package static let bytesMax = 4 << 20

    /// Items that are already saved get only the new tags and notes.
    case save([SavedItem])
    case remove(ids: [String])
    case edit(ids: [String], LibraryEdit)
    /// Queues items of these sources for a refresh: the items with these ids, or all items if `ids` is nil.
    case queueRefreshes(ids: [String]?, of: Set<SourceName>)
    case endRefresh(id: String)
}

package struct LibraryOutcome: Sendable {
    /// The changed or removed items, in the order of the request.
    package var items: [SavedItem] = []
    package var added: Int { change?.inserted.count ?? 0 }
    package var updated: Int { change?.updated.count ?? 0 }
    /// How many items were queued for a refresh, and how many were not.
    package var queued = 0
    package var left = 0
    package var revision: Int64 = 0
    package var change: LibraryChange?
}

package struct LibraryChange: Sendable {
    package internal(set) var revision: Int64
    package var inserted: [SavedItem] = []
    package var updated: [SavedItem] = []
    package var deleted: [String] = []
    /// Empty if the change was read from the file.
    package var deletedTitles: [String] = []

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A position in the changes of a library: a client has read all changes up to it.
package struct LibraryPosition: Sendable {
    let revision: Int64
    /// The last item that was read in `revision`, or the maximum if all were read.
    let number: Int64
    /// The revision at which the client began to read; items inserted later are reported as new.
    let began: Int64
    /// If the column `forgotten` no longer has this value, the client must read everything again.
    var forgotten: Int64?

    var isStart: Bool { number == .max }
}

extension LibraryPosition {
    /// A client without data is at revision 0.
    package init(after revision: Int64) {
        self.init(revision: revision, number: .max, began: revision)
    }
}

package struct LibraryChanges: Sendable {
    /// A list of changes ends at this size.
    package static let bytesMax = 256 << 10

    package let change: LibraryChange
    package let next: LibraryPosition?
}

/// The hashes of a user's saved ids; the seed is random, so sources cannot cause collisions.
package struct SavedIDs: Sendable {
    private var hashes: Set<Int> = []

    package init() {}

    package var isEmpty: Bool { hashes.isEmpty }

    package func contains(_ id: String) -> Bool { hashes.contains(ExactText(id).hashValue) }

    package mutating func insert(_ id: String) { hashes.insert(ExactText(id).hashValue) }

    package mutating func apply(_ change: LibraryChange) {
        for item in change.inserted { insert(item.id) }
        for id in change.deleted { hashes.remove(ExactText(id).hashValue) }
    }
}
