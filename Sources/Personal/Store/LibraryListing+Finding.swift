import JSON
import SearchModel
import Storage

/// Finding items by words.
extension LibraryListing {
    /// Of the items that the index finds the latest so many are looked at, where that is needed.
    static let lookedAtMax = 20_000

    /// Fills the table of what is found, with positions when it must be ranked or looked at.
    func find(_ words: TypedWords, ranked: Bool) throws(StorageError) {
        try database.run("DELETE FROM found")
        guard ranked else {
            return try database.run(
                "INSERT INTO found SELECT rowid, 0 FROM words WHERE words MATCH ?",
                .text(words.expression)
            )
        }
        var found = RankedTexts<Int64>(words)
        try database.run(
            """
            SELECT number, item FROM items
            WHERE number IN (SELECT rowid FROM words WHERE words MATCH ?)
            ORDER BY savedAt DESC, number DESC LIMIT ?
            """,
            .text(words.expression),
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            guard let document = try? JSONDocument(row.blob(1)) else { return }
            found.add(row.integer(0), SavedItem.texts(of: document.root))
        }
        for (number, position) in found.positions {
            try database.run("INSERT INTO found VALUES (?, ?)", .integer(number), .integer(position))
        }
    }
}
