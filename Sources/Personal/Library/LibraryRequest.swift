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
package struct LibraryOutcome: Equatable, Sendable {
    /// The items as they are now, or, of those removed, as they were; in the order of the request.
    package var items: [SavedItem] = []
    /// How many were not saved before.
    package var added = 0
    /// How many are queued to be looked up again, and how many can't be.
    package var queued = 0
    package var left = 0
    /// Of the library after the request.
    package var revision: Int64 = 0
    /// What followers are told; nil when nothing has changed.
    package var change: LibraryChange?
}
