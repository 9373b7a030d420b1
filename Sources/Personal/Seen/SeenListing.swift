import JSON
import SearchModel
import Storage

/// The hits that some words find, in the order of how well they match; kept for the next page of the same query.
struct SeenListing {
    /// Of the hits that the index finds the latest so many are looked at.
    static let lookedAtMax = 2000

    private let query: LibraryQuery
    private let oldest: Int64
    private let numbers: [Int64]
    private let isTotalExact: Bool

    init(
        _ query: LibraryQuery,
        _ words: TypedWords,
        since oldest: Int64,
        in seen: SeenTable
    ) throws(StorageError) {
        (self.query, self.oldest) = (query.unlimited, oldest)
        var found: [(number: Int64, rank: Int64)] = []
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
            LibraryQuery.list(query.kinds?.map(\.text)),
            .integer(Self.lookedAtMax)
        ) { row throws(StorageError) in
            count += 1
            guard let hit = try? JSONDocument(row.blob(1)).root,
                let rank = words.rank(SavedItem.title(of: hit), SavedItem.otherTexts(of: hit))
            else { return }
            found.append((row.integer(0), rank))
        }
        // Equal ones stay in the order in which they were found.
        numbers = found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.number)
        isTotalExact = count < Self.lookedAtMax
    }

    /// Whether it can be used for a page of a query; entries that grow too old meanwhile stay for a second.
    func isOf(_ query: LibraryQuery, since oldest: Int64) -> Bool {
        self.query == query.unlimited && abs(oldest - self.oldest) <= 1000
    }

    func page(_ query: LibraryQuery, of seen: SeenTable) throws(StorageError) -> OwnHits {
        var page = OwnHits(total: numbers.count, isTotalExact: isTotalExact)
        for number in numbers.dropFirst(query.offset).prefix(query.limit) {
            if let hit = try seen.hit(number) { page.hits.append(hit) }
        }
        return page
    }
}
