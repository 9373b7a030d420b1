import Hangul
import JSON
import SearchModel
import Storage

/// The hits that one user's searches returned; each hit is stored once, in its latest version.
struct SeenTable {
    static let hitsMax = 20_000
    /// At most this many hits are removed at once, because a commit must be short.
    private static let removedMax = 300

    let database: Database

    private var words: WordIndex { WordIndex(database: database, table: "seenWords") }

    /// Ignores invalid hits, and returns the titles to suggest.
    func add(_ seen: SeenHits) throws(StorageError) -> [SuggestionIndex.Change] {
        let search = seen.search
        var titles: [SuggestionIndex.Change] = []
        for draft in seen.hits {
            guard let hit = Self.hit(draft.bytes) else { continue }
            let number = try add(hit, fetchedAt: draft.fetchedAt, query: search.query.digest, at: search.at)
            let count = try database.first("SELECT count(*) FROM seenBy WHERE number = ?", .integer(number)) {
                Int($0.integer(0))
            }
            titles.append(.title(Suggestion(title: hit.title, .title, count: count ?? 1, at: search.at)))
        }
        return titles
    }

    private func add(_ hit: SavedHit, fetchedAt: Int64, query: Int64, at: Int64) throws(StorageError) -> Int64 {
        let known = try database.first("SELECT number, hit FROM seen WHERE id = ?", .text(hit.id)) { row in
            (number: row.integer(0), bytes: row.blob(1))
        }
        if let known, known.bytes != hit.bytes { try words.remove(known.bytes, of: known.number) }
        try database.run(
            """
            INSERT INTO seen (id, at, fetchedAt, kind, hit, sum)
            VALUES (?1, ?2, ?3, ?4, ?5, checksum(?1, ?2, ?3, ?4, ?5))
            ON CONFLICT (id) DO UPDATE SET at = max(at, ?2), fetchedAt = ?3, kind = ?4, hit = ?5,
                sum = checksum(id, max(at, ?2), ?3, ?4, ?5)
            """,
            .text(hit.id),
            .integer(at),
            .integer(fetchedAt),
            .text(hit.kind.text),
            .blob(hit.bytes)
        )
        let number = known?.number ?? database.lastNumber
        try database.run(
            """
            INSERT INTO seenBy (number, query, at) VALUES (?, ?, ?)
            ON CONFLICT DO UPDATE SET at = max(at, excluded.at)
            """,
            .integer(number),
            .integer(query),
            .integer(at)
        )
        if known?.bytes != hit.bytes { try words.add(hit.bytes, as: number) }
        return number
    }

    /// Removes hits before `instant` (milliseconds since 1970), and the oldest hits if there are more than `hitsMax`.
    func expire(before instant: Int64) throws(StorageError) {
        let count = try database.first("SELECT count(*) FROM seen") { Int($0.integer(0)) } ?? 0
        let excess = count - Self.hitsMax
        let old = try database.all(
            "SELECT number FROM (SELECT number, at FROM seen ORDER BY at LIMIT ?1) WHERE at < ?2 OR ?3",
            .integer(Self.removedMax),
            .integer(instant),
            .integer(excess > 0 ? 1 : 0)
        ) { $0.integer(0) }
        for number in old { try remove(number) }
    }

    private func remove(_ number: Int64) throws(StorageError) {
        let bytes = try database.first("SELECT hit FROM seen WHERE number = ?", .integer(number)) { $0.blob(0) }
        if let bytes { try words.remove(bytes, of: number) }
        try database.run("DELETE FROM seen WHERE number = ?", .integer(number))
        try database.run("DELETE FROM seenBy WHERE number = ?", .integer(number))
    }

    /// Removes hits that only the selected searches returned.
    func erase(_ selection: HistorySelection) throws(StorageError) {
        switch selection {
        case .all: try database.run("DELETE FROM seenBy")
        case .query(let query): try database.run("DELETE FROM seenBy WHERE query = ?", .integer(query.digest))
        case .since(let instant): try database.run("DELETE FROM seenBy WHERE at >= ?", .integer(instant))
        }
        let left = try database.all(
            "SELECT number FROM seen WHERE NOT EXISTS (SELECT 1 FROM seenBy WHERE seenBy.number = seen.number)"
        ) { $0.integer(0) }
        for number in left { try remove(number) }
        // The full-text index keeps removed words until its parts are merged.
        try words.optimize()
    }

    func hit(_ id: String, since instant: Int64) throws(StorageError) -> OwnHits.Hit? {
        try hit("id = ? AND at >= ?", .text(id), .integer(instant))
    }

    func hit(_ number: Int64) throws(StorageError) -> OwnHits.Hit? { try hit("number = ?", .integer(number)) }

    private func hit(_ condition: String, _ values: SQLValue...) throws(StorageError) -> OwnHits.Hit? {
        var found: OwnHits.Hit?
        try database.run("SELECT hit, fetchedAt, isIntact FROM checkedSeen WHERE \(condition)", values: values) {
            row throws(StorageError) in
            guard row.bool(2) else { throw StorageError.damagedRow(database.path) }
            found = Self.hit(row.blob(0)).map { ($0, row.integer(1)) }
        }
        return found
    }

    static func hit(_ bytes: [UInt8]) -> SavedHit? {
        guard let document = try? JSONDocument(bytes) else { return nil }
        return try? SavedHit(document.root.value, path: "hit")
    }

    func rebuildIndex() throws(StorageError) {
        try words.removeAll()
        for number in try database.all("SELECT number FROM seen", read: { $0.integer(0) }) {
            if let hit = try hit(number) { try words.add(hit.hit.bytes, as: number) }
        }
    }
}

/// The hits that match some words, kept for the next page of the same query.
struct SeenListing {
    /// The maximum number of hits to check, the latest first.
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
            if let rank = words.rank(row.blob(1)) { found.append((row.integer(0), rank)) }
        }
        numbers = found.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.number)
        isTotalExact = count < Self.lookedAtMax
    }

    /// `oldest` may differ by a second, so a hit may be returned for up to a second after it expires.
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

/// The hits of one search, to be stored.
package struct SeenHits: Sendable {
    /// The hit is JSON, and the time is in seconds since 1970.
    package typealias Hit = (bytes: [UInt8], fetchedAt: Int64)

    package let search: HistorySearch
    package let hits: [Hit]

    package init(_ search: HistorySearch, hits: [Hit]) {
        self.search = search
        self.hits = hits
    }

    package var bytesCount: Int { hits.reduce(0) { $0 + $1.bytes.count } }
}

/// Hits from a user's own data, the best match first.
package struct OwnHits: Sendable {
    /// The time is in seconds since 1970.
    package typealias Hit = (hit: SavedHit, fetchedAt: Int64)

    package internal(set) var hits: [Hit] = []
    /// A lower bound if `isTotalExact` is false.
    package internal(set) var total = 0
    package internal(set) var isTotalExact = true
}
