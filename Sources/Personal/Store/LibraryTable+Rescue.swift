import JSON
import Storage

/// Reading as much as can be read.
extension LibraryTable {
    /// So far are the revisions of a file that takes another's over from those of the other, whose last ones may be
    /// lost.
    static let revisionLeap: Int64 = 1 << 20

    /// JSON's numbers are whole up to here, and a clock's milliseconds are for 200,000 years below it.
    private static let revisionMax: Int64 = (1 << 53) - revisionLeap

    /// Takes over the items of another file; see `PersonalTables`.
    func takeOver(_ other: LibraryTable?, after known: Int64) throws(StorageError) -> Int {
        let revision = max(known, other?.latestRevision ?? 0) + Self.revisionLeap
        for number in other?.database.numbersToTry(in: "items") ?? [] {
            guard let item = other?.readableItem(number), try self.item(item.id) == nil else { continue }
            let number = try insert(item, revision)
            try IndexBacklog.index(number, item.indexTokens, in: database)
        }
        try database.run(
            "UPDATE state SET revision = ?1, forgotten = ?1, indexed = ?2",
            .integer(revision),
            .integer(numberMax())
        )
        memory.backlog = nil
        return try count()
    }

    /// The latest that can be read; what a damaged page says may be beyond all that was ever given.
    private var latestRevision: Int64 {
        let ofItems = try? database.first("SELECT max(revision) FROM items") { $0.integer(0) }
        return [try? revision(), ofItems ?? nil].compactMap(\.self).filter { $0 < Self.revisionMax }.max() ?? 0
    }

    /// Nil also when its row contradicts itself, as in a page of which a part was overwritten.
    private func readableItem(_ number: Int64) -> SavedItem? {
        let row = try? database.first("SELECT id, item FROM items WHERE number = ?", .integer(number)) { row in
            (id: row.text(0), item: Self.item(row.blob(1)))
        }
        guard let row = row ?? nil, let item = row.item, item.id.hasSameBytes(as: row.id) else { return nil }
        return item
    }
}
