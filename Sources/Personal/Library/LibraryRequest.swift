import JSON
package import SearchModel

/// A change of the library, which is applied completely or not at all.
package enum LibraryRequest: Sendable {
    package static let bytesMax = 4 << 20

    /// Saves items; items that are already saved get only the new tags and notes.
    case save([SavedItem])
    /// Removes items and ignores unknown ids.
    case remove(ids: [String])
    case edit(ids: [String], LibraryEdit)
    /// Queues the items with these ids for a refresh if they are from these sources; nil selects all ids.
    case queueRefreshes(ids: [String]?, of: Set<SourceName>)
    case endRefresh(id: String)
}

package struct LibraryOutcome: Sendable {
    /// The requested items after the change, or the removed items in their last state, in the order of the request.
    package var items: [SavedItem] = []
    package var added: Int { change?.inserted.count ?? 0 }
    /// The number of requested items that were queued for a refresh, and the number that were not.
    package var queued = 0
    package var left = 0
    package var revision: Int64 = 0
    /// The change for the clients that follow the library, or nil if nothing has changed.
    package var change: LibraryChange?
}

package struct LibraryChange: Sendable {
    package internal(set) var revision: Int64
    package var inserted: [SavedItem] = []
    package var updated: [SavedItem] = []
    package var deleted: [String] = []
    /// The titles of the deleted items; empty if the change was read from the file.
    package var deletedTitles: [String] = []

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A position in the changes of a library: a client has read all changes up to it.
package struct LibraryPosition: Sendable {
    let revision: Int64
    /// The number of the last item that was read in `revision`, or the maximum if all its items were read.
    let number: Int64
    /// The revision at which the client started to read; items that were inserted later are reported as new.
    let began: Int64
    /// The column `forgotten` when the first part was read; if it has changed, the client must read everything again.
    var forgotten: Int64?

    var isStart: Bool { number == .max }
}

extension LibraryPosition {
    /// Creates the position after a revision; 0 is the position of a client without data.
    package init(after revision: Int64) {
        self.init(revision: revision, number: .max, began: revision)
    }
}

package struct LibraryChanges: Sendable {
    /// A part ends when its items reach this size.
    package static let bytesMax = 256 << 10

    /// The changed items; all changes up to its revision are in this part or in earlier parts.
    package let change: LibraryChange
    package let next: LibraryPosition?
}

/// The ids of a user's saved items as hashes, which identify saved hits without access to the disk.
///
/// The hash of an unknown id equals that of a saved item with a probability of 1 in 2^64 per item. Sources cannot cause
/// this, because the seed of the hashes is random for each process.
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
