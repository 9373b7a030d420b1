import SearchModel
import Storage

/// Changes a library in one transaction, which it must not outlive.
///
/// What its requests have in common is read and written once for all of them.
struct LibraryWriter {
    let table: LibraryTable
    /// After the latest request.
    var revision: Int64
    private let revisionBefore: Int64
    /// No item has a higher number.
    private(set) var numberMax: Int64
    /// Whether removed items are remembered.
    private var hasRemoved: Bool
    private var hasRemovedMore = false

    init(_ table: LibraryTable) throws(StorageError) {
        self.table = table
        revision = try table.revision()
        revisionBefore = revision
        numberMax = try table.numberMax()
        hasRemoved = try table.hasRemoved()
    }

    mutating func insert(_ item: SavedItem, _ revision: Int64) throws(StorageError) {
        if hasRemoved { try table.unremove(item.id) }
        numberMax = max(numberMax, try table.insert(item, revision))
    }

    mutating func remove(_ id: String, _ revision: Int64) throws(StorageError) {
        try table.remove(id, revision)
        (hasRemoved, hasRemovedMore) = (true, true)
    }

    /// To be called once, before the transaction ends.
    func finish() throws(StorageError) {
        guard revision != revisionBefore else { return }
        try table.setRevision(revision)
        if hasRemovedMore { try table.forget() }
    }
}
