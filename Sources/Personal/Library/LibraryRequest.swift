import JSON
package import SearchModel

/// What a user asks of the library in one step: all of it is done or nothing.
package enum LibraryRequest: Sendable {
    /// How many items one step may name.
    package static let itemsMax = 1000
    /// How much the items that it names may have together.
    package static let bytesMax = 4 << 20

    /// Saves items; of one that is saved already only tags and notes are added.
    case save([SavedItem])
    /// Removes those that are there.
    case remove(ids: [String])
    case edit(ids: [String], LibraryEdit)
    /// Queues items, or without ids all, to be looked up again where that can be done: in these sources.
    case queueRefreshes(ids: [String]?, of: Set<SourceName>)
    /// An item is not to be looked up again, as when its source has it no more.
    case endRefresh(id: String)
}

/// What came of a request.
package struct LibraryOutcome: Sendable {
    /// The items as they are now, or, of those removed, as they were; in the order of the request.
    package var items: [SavedItem] = []
    /// How many were not saved before.
    package var added: Int { change?.inserted.count ?? 0 }
    /// How many are queued to be looked up again, and how many can't be.
    package var queued = 0
    package var left = 0
    /// Of the library after the request.
    package var revision: Int64 = 0
    /// What followers are told; nil when nothing has changed.
    package var change: LibraryChange?
}

/// One change of a library: what its revision has made of it.
package struct LibraryChange: Sendable {
    package internal(set) var revision: Int64
    package var inserted: [SavedItem] = []
    package var updated: [SavedItem] = []
    package var deleted: [String] = []

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

/// How far someone who follows a library has come.
package struct LibraryPosition: Sendable {
    let revision: Int64
    /// Of the rows with that revision the last that was read.
    let number: Int64
    /// The revision at which it all began: what was inserted later is new.
    let began: Int64
    /// What had been forgotten then: a file that was renewed meanwhile has other revisions.
    var forgotten: Int64?

    var isStart: Bool { number == .max }
}

extension LibraryPosition {
    /// After a revision, all of which is known; 0 for someone who knows nothing.
    package init(after revision: Int64) {
        self.init(revision: revision, number: .max, began: revision)
    }
}

/// A part of what has changed.
package struct LibraryChanges: Sendable {
    /// A part ends once its items have so many bytes.
    package static let bytesMax = 256 << 10

    /// Its revision is the last of which nothing is missing.
    package let change: LibraryChange
    /// Where the next part begins; nil when there is none yet.
    package let next: LibraryPosition?
}

/// The ids of all that a user has saved, as hashes: whether a hit is one of them is known without the disk.
///
/// A hit that is not saved is taken for one with a chance of one in 2^64 for each that is; sources choose the ids, but
/// can't know the seed of this process's hashes.
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
