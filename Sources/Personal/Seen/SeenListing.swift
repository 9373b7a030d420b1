import JSON
import SearchModel
import Storage

/// The hits that some words find, in the order of how well they match; kept for the next page of the same query.
struct SeenRanking {
    /// Of the hits that the index finds the latest so many are looked at.
    static let lookedAtMax = 2000

    private let query: OwnHitsQuery
    private let oldest: Int64
    private let numbers: [Int64]
    private let isTotalExact: Bool

    init(
        _ query: OwnHitsQuery,
        _ words: TypedWords,
        since oldest: Int64,
        in seen: SeenTable
    ) throws(StorageError) {
        (self.query, self.oldest) = (query, oldest)
        let kinds = query.kinds.map { kinds in
            SQLValue.text(String(decoding: JSONValue.array(kinds.map { .string($0.text) }).bytes, as: UTF8.self))
        }
        var found = RankedTexts(words)
        var count = 0
        try seen.database.run(
            """
            SELECT number, hit FROM seen
            WHERE number IN (SELECT rowid FROM seenWords WHERE seenWords MATCH ?) AND at >= ?
                AND (?3 IS NULL OR kind IN (SELECT value FROM json_each(?3)))
            ORDER BY at DESC, number DESC LIMIT ?
            """,
            .text(words.expression),
            .integer(oldest),
            kinds ?? .null,
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            count += 1
            guard let hit = try? JSONDocument(row.blob(1)).root else { return }
            let others = [hit["snippet"]?.string, hit["author"]?.string].compactMap(\.self)
            found.add(row.integer(0), title: SavedItem.title(of: hit), others: others)
        }
        numbers = found.ranked.map(\.value)
        isTotalExact = count < Self.lookedAtMax
    }

    /// Whether it can be used for a page of a query; entries that grow too old meanwhile stay for a second.
    func isOf(_ query: OwnHitsQuery, since oldest: Int64) -> Bool {
        self.query.words.hasSameBytes(as: query.words) && self.query.kinds == query.kinds
            && abs(oldest - self.oldest) <= 1000
    }

    func page(_ query: OwnHitsQuery, of seen: SeenTable) throws(StorageError) -> OwnHits {
        var page = OwnHits(total: numbers.count, isTotalExact: isTotalExact)
        for number in numbers.dropFirst(query.offset).prefix(query.limit) {
            if let hit = try seen.hit(number) { page.hits.append(hit) }
        }
        return page
    }
}
