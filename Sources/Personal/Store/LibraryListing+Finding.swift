import Hangul
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
        var found: [(number: Int64, match: TypedMatch, isInTitle: Bool)] = []
        try database.run(
            """
            SELECT number, item FROM items
            WHERE number IN (SELECT rowid FROM words WHERE words MATCH ?)
            ORDER BY savedAt DESC, number DESC LIMIT ?
            """,
            .text(words.expression),
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            guard let item = LibraryTable.item(row.blob(1)) else { return }
            let texts = item.texts.map { FoldedText($0) }
            guard let match = words.match(in: texts) else { return }
            let inTitle = words.match(in: Array(texts.prefix(1)))
            found.append((row.integer(0), inTitle ?? match, inTitle != nil))
        }
        // A title says more than what stands below it.
        found.sort { $0.isInTitle != $1.isInTitle ? $0.isInTitle : $0.match < $1.match }
        var position = 0
        for (index, one) in found.enumerated() {
            if index > 0, found[index - 1].match != one.match || found[index - 1].isInTitle != one.isInTitle {
                position += 1
            }
            try database.run("INSERT INTO found VALUES (?, ?)", .integer(one.number), .integer(position))
        }
    }
}
