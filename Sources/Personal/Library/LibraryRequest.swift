import JSON
package import SearchModel

/// A change of the library, applied completely or not at all.
package enum LibraryRequest: Sendable {
    /// The maximum total size of the items in one step.
    package static let bytesMax = 4 << 20

    /// Saves items; if an item is already saved, only its tags and notes are added.
    case save([SavedItem])
    /// Removes items; ignores unknown ids.
    case remove(ids: [String])
    case edit(ids: [String], LibraryEdit)
    /// Queues these items, or all items if `ids` is nil, for a refresh from these sources.
    case queueRefreshes(ids: [String]?, of: Set<SourceName>)
    /// Removes an item from the refresh queue, for example if its source no longer has it.
    case endRefresh(id: String)
}

/// The result of a request.
package struct LibraryOutcome: Sendable {
    /// The changed items, or removed items in their last state, in the order of the request.
    package var items: [SavedItem] = []
    /// How many items are new.
    package var added: Int { change?.inserted.count ?? 0 }
    /// How many items are queued for a refresh, and how many cannot be refreshed.
    package var queued = 0
    package var left = 0
    /// The library's revision after the request.
    package var revision: Int64 = 0
    /// The change, for followers of the library; nil if nothing has changed.
    package var change: LibraryChange?
}

/// The items changed by one revision of a library.
package struct LibraryChange: Sendable {
    package internal(set) var revision: Int64
    package var inserted: [SavedItem] = []
    package var updated: [SavedItem] = []
    package var deleted: [String] = []

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// A follower's position in the changes of a library.
package struct LibraryPosition: Sendable {
    let revision: Int64
    /// The last row read of that revision.
    let number: Int64
    /// The revision at the start; items that were inserted after it are reported as new.
    let began: Int64
    /// The latest revision whose removed items were forgotten at the start; it changes when the file is replaced.
    var forgotten: Int64?

    var isStart: Bool { number == .max }
}

extension LibraryPosition {
    /// Creates the position after a revision; 0 for a follower without any data.
    package init(after revision: Int64) {
        self.init(revision: revision, number: .max, began: revision)
    }
}

/// A part of the changes after a position.
package struct LibraryChanges: Sendable {
    /// A part ends once its items have this size.
    package static let bytesMax = 256 << 10

    /// The changed items, with the last revision of which no item is missing.
    package let change: LibraryChange
    /// Where the next part begins; nil if this is the last part.
    package let next: LibraryPosition?
}

/// The ids of a user's saved items, as hashes, to look up hits without the disk.
///
/// An unknown id has the same hash as a saved item with a probability of 1 in 2^64. Sources choose the ids, but they do
/// not know the seed of the hashes, which is random for each process.
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
