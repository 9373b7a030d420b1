import JSON
import SearchModel
import Storage

/// Finding items by words.
extension LibraryListing {
    /// Of the items that the index finds the latest so many are looked at, where that is needed: it takes half a
    /// second.
    static let lookedAtMax = 100_000
    /// Of those that need no look the latest so many are ranked; the others come behind them, the latest first.
    static let rankedMax = 20_000

    /// Fills the table of what is found, with ranks when it must be ranked or looked at.
    func find(_ words: TypedWords, _ query: LibraryQuery, _ page: inout LibraryPage) throws(StorageError) {
        try database.run("DELETE FROM found")
        guard query.sort == .relevance || words.needsLook else {
            return try database.run(
                "INSERT INTO found SELECT rowid, 0 FROM words WHERE words MATCH ?",
                .text(words.expression)
            )
        }
        for (number, rank, _) in try ranked(words, query, needed: .max, &page).ranked {
            try database.run("INSERT INTO found VALUES (?, ?)", .integer(number), .integer(rank))
        }
    }

    /// What is found, of which the best are wanted in order.
    ///
    /// The index gives them in the order of their numbers; to have SQLite sort them would copy each.
    func ranked(
        _ words: TypedWords,
        _ query: LibraryQuery,
        needed: Int,
        _ page: inout LibraryPage
    ) throws(StorageError) -> RankedTexts<Int64> {
        var found = RankedTexts<Int64>(words, needed: needed)
        var count = 0
        try database.run(
            """
            SELECT number, savedAt, item FROM words JOIN items ON number = words.rowid
            WHERE words MATCH ?1
                AND (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2)))
                AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(?3) WHERE source GLOB value))
                AND (?4 IS NULL OR NOT EXISTS (
                    SELECT 1 FROM json_each(?4)
                    WHERE value NOT IN (SELECT tag FROM tags WHERE tags.number = items.number)
                ))
                AND (?5 IS NULL OR savedAt >= ?5) AND (?6 IS NULL OR savedAt <= ?6)
            ORDER BY words.rowid DESC LIMIT ?7
            """,
            values: [.text(words.expression)] + Self.filter(query)
                + [.integer(Int64(words.needsLook ? Self.lookedAtMax : LibraryTable.itemsMax))]
        ) { row throws(StorageError) in
            count += 1
            let (number, savedAt) = (row.integer(0), row.integer(1))
            if !words.needsLook, count > Self.rankedMax { return found.addUnseen(number, at: savedAt) }
            guard let item = try? JSONDocument(row.blob(2)).root else { return }
            found.add(
                number,
                at: savedAt,
                title: SavedItem.title(of: item),
                others: SavedItem.otherTexts(of: item)
            )
        }
        page.isTotalExact = !words.needsLook || count < Self.lookedAtMax
        return found
    }
}
