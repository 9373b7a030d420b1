import JSON
import SearchModel
import Storage

/// Finding items by words.
extension LibraryListing {
    /// Of the items that the index finds the latest so many are looked at, where that is needed.
    static let lookedAtMax = 20_000

    /// Fills the table of what is found, with positions when it must be ranked or looked at.
    func find(_ words: TypedWords, ranked isRanked: Bool) throws(StorageError) {
        try database.run("DELETE FROM found")
        guard isRanked || words.needsLook else {
            return try database.run(
                "INSERT INTO found SELECT rowid, 0 FROM words WHERE words MATCH ?",
                .text(words.expression)
            )
        }
        for (number, position) in try ranked(words, needed: .max).positions {
            try database.run("INSERT INTO found VALUES (?, ?)", .integer(number), .integer(position))
        }
    }

    /// What is found, of which the best are wanted in order.
    ///
    /// The index gives them in the order of their numbers; to have SQLite sort them would copy each.
    func ranked(_ words: TypedWords, needed: Int) throws(StorageError) -> RankedTexts<Int64> {
        var found = RankedTexts<Int64>(words, needed: needed)
        try database.run(
            """
            SELECT number, savedAt, item FROM words JOIN items ON number = words.rowid
            WHERE words MATCH ? ORDER BY words.rowid DESC LIMIT ?
            """,
            .text(words.expression),
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            guard let item = try? JSONDocument(row.blob(2)).root else { return }
            found.add(
                row.integer(0),
                at: row.integer(1),
                title: SavedItem.title(of: item),
                others: SavedItem.otherTexts(of: item)
            )
        }
        return found
    }
}
