import Hangul
import JSON
import SearchModel
import Storage

/// Finding hits by words in all that a user's searches have brought; used by its store only.
struct SeenListing {
    /// Of the hits that the index finds the latest so many are looked at.
    static let lookedAtMax = 2000

    let database: Database

    func hits(_ query: OwnHitsQuery, since instant: Int64) throws(StorageError) -> OwnHits {
        guard let words = TypedWords(query.words) else { return OwnHits() }
        let kinds = query.kinds.map { kinds in
            SQLValue.text(String(decoding: JSONValue.array(kinds.map { .string($0.text) }).bytes, as: UTF8.self))
        }
        var found = RankedTexts<OwnHits.Hit>(words, needed: query.offset + query.limit)
        var count = 0
        try database.run(
            """
            SELECT hit, fetchedAt FROM seen
            WHERE number IN (SELECT rowid FROM seenWords WHERE seenWords MATCH ?) AND at >= ?
                AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3)))
            ORDER BY at DESC, number DESC LIMIT ?
            """,
            .text(words.expression),
            .integer(instant),
            kinds ?? .null,
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            count += 1
            guard let hit = SeenTable.hit(row.blob(0)) else { return }
            found.add(OwnHits.Hit(hit: hit, fetchedAt: row.integer(1)), title: hit.title, others: hit.otherTexts)
        }
        let all = found.sorted
        return OwnHits(
            hits: Array(all.dropFirst(query.offset).prefix(query.limit)),
            total: all.count,
            isTotalExact: count < Self.lookedAtMax
        )
    }
}
