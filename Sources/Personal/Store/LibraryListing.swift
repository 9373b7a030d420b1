import JSON
import SearchModel
import Storage

/// Items that some words find, in the order of how well they match; kept for the next page of the same query.
struct LibraryRanking: Sendable {
    /// So many are looked at in one turn of the storage thread.
    private static let step = 4096
    /// Of those that need no look the latest so many are ranked; the others come last, the latest first.
    static let rankedMax = 20_000
    /// How many of the best are in order, at least.
    static let orderedMin = 1000

    let query: LibraryQuery
    let revision: Int64
    let needed: Int
    let words: TypedWords
    private var found: RankedTexts
    /// All of them in order; nil before all were looked at.
    private(set) var keys: [LibraryOrderKey]?
    private var count = 0
    /// The number of the last item that was looked at.
    private var last = Int64.max

    init(_ query: LibraryQuery, _ words: TypedWords, revision: Int64) {
        self.query = query.unlimited
        self.words = words
        self.revision = revision
        needed = query.cursor == nil ? max(query.offset + query.limit, Self.orderedMin) : .max
        found = RankedTexts(words, needed: needed)
    }

    /// Whether it can be used for a page of a query.
    func isOf(_ query: LibraryQuery, revision: Int64) -> Bool {
        self.revision == revision && self.query == query.unlimited
            && (query.cursor == nil ? query.offset + query.limit : .max) <= needed
    }

    /// Looks at some more items, unless all were looked at.
    ///
    /// The index gives them in the order of their numbers; to have SQLite sort them would copy each.
    mutating func advance(in database: Database) throws(StorageError) {
        guard keys == nil else { return }
        var seen = 0
        // In other orders it does not matter how well they match.
        let isRanked = query.sort == .relevance && query.grouping == nil
        let isLast = !words.needsLook && (!isRanked || count >= Self.rankedMax)
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
                AND words.rowid < ?7
            ORDER BY words.rowid DESC LIMIT ?8
            """,
            values: [.text(words.expression)] + LibraryListing.filter(query)
                + [.integer(last), .integer(isLast ? .max : Int64(Self.step))]
        ) { row throws(StorageError) in
            seen += 1
            last = row.integer(0)
            if isLast { return found.addUnseen(last, at: row.integer(1)) }
            guard let item = try? JSONDocument(row.blob(2)).root else { return }
            found.add(
                last,
                at: row.integer(1),
                title: SavedItem.title(of: item),
                others: SavedItem.otherTexts(of: item)
            )
        }
        count += seen
        guard isLast || seen < Self.step else { return }
        keys = found.ranked.map { number, rank, savedAt in
            LibraryOrderKey(rank: rank, title: [], savedAt: savedAt, number: number)
        }
        found = RankedTexts(words)
    }
}

/// Reading parts of a library.
struct LibraryListing {
    let table: LibraryTable

    var database: Database { table.database }

    /// Reads a part; the ranking is complete, or nil when the query has no words.
    func page(_ query: LibraryQuery, _ ranking: LibraryRanking?) throws(StorageError) -> LibraryPage {
        var page = LibraryPage(revision: try table.revision())
        if query.grouping != nil { page.groups = [] }
        // Words that are too long, or nothing but punctuation, are in no item.
        if let found = ranking?.keys {
            if query.sort == .relevance, query.grouping == nil {
                try fill(&page, query, found)
                return page
            }
            try database.run("DELETE FROM found")
            for key in found {
                try database.run("INSERT INTO found VALUES (?, ?)", .integer(key.number), .integer(key.rank))
            }
        } else if query.words != nil {
            return page
        }
        if query.grouping == nil {
            var keys: [LibraryOrderKey] = []
            try choose(query) { key, _ in keys.append(key) }
            try fill(&page, query, keys)
        } else {
            try fillGroups(&page, query)
        }
        return page
    }

    private func fill(
        _ page: inout LibraryPage,
        _ query: LibraryQuery,
        _ keys: [LibraryOrderKey]
    ) throws(StorageError) {
        page.total = keys.count
        let start = query.cursor?.index(in: keys) ?? min(query.offset, keys.count)
        var (end, bytes) = (start, 0)
        while end < keys.count, end - start < query.limit, bytes < LibraryQuery.pageBytesMax {
            if let item = try table.kept(keys[end].number) {
                page.items.append(item)
                bytes += item.bytes.count
            }
            end += 1
        }
        if end > start, end < keys.count { page.next = LibraryCursor(after: keys[end - 1]) }
    }

    private func fillGroups(_ page: inout LibraryPage, _ query: LibraryQuery) throws(StorageError) {
        var indexes: [ExactText: Int] = [:]
        var groups: [(group: LibraryPage.Group, numbers: [Int64])] = []
        var seen: Set<Int64> = []
        try choose(query) { key, name in
            let number = key.number
            seen.insert(number)
            // As tags, all names are the same that differ in case only.
            let key = ExactText(name.lowercased())
            guard let index = indexes[key] else {
                indexes[key] = groups.count
                groups.append((LibraryPage.Group(name: name, count: 1), [number]))
                return
            }
            groups[index].group.count += 1
            if groups[index].numbers.count < query.limit { groups[index].numbers.append(number) }
        }
        page.total = seen.count
        // Items without a name come last; groups of one size in the order of their latest items.
        groups = groups.enumerated().sorted { left, right in
            let (one, other) = (left.element.group, right.element.group)
            if one.name.isEmpty != other.name.isEmpty { return other.name.isEmpty }
            return (-one.count, left.offset) < (-other.count, right.offset)
        }.map(\.element)
        var bytes = 0
        var filled: [LibraryPage.Group] = []
        for (group, numbers) in groups.prefix(LibraryQuery.groupsMax) {
            var group = group
            for number in numbers where bytes < LibraryQuery.pageBytesMax {
                guard let item = try table.kept(number) else { continue }
                group.items.append(item)
                bytes += item.bytes.count
            }
            filled.append(group)
        }
        page.groups = filled
    }

    /// The rows that a query wants, in its order, with the name of the group of each; an item with several tags comes
    /// once for each when they are grouped by tags.
    private func choose(_ query: LibraryQuery, row: (LibraryOrderKey, String) -> Void) throws(StorageError) {
        guard !query.isPlain else {
            return try database.run(
                "SELECT number, savedAt FROM items ORDER BY savedAt DESC, number DESC"
            ) { found throws(StorageError) in
                row(LibraryOrderKey(rank: 0, title: [], savedAt: found.integer(1), number: found.integer(0)), "")
            }
        }
        try database.run(
            """
            WITH chosen AS (
                SELECT number, position FROM found WHERE ?1 = 1
                UNION ALL SELECT number, 0 FROM items WHERE ?1 = 0
            )
            SELECT
                items.number,
                CASE ?8
                    WHEN 'genre' THEN genre
                    WHEN 'kind' THEN kind
                    WHEN 'source' THEN source
                    WHEN 'month' THEN strftime('%Y-%m', savedAt, 'unixepoch')
                    WHEN 'tag' THEN ifnull(filed.text, '')
                    ELSE ''
                END,
                savedAt,
                CASE ?7
                    WHEN 'published' THEN ifnull(-published, 9223372036854775807)
                    WHEN 'rating' THEN ifnull(-rating, 0)
                    WHEN 'relevance' THEN position
                    ELSE 0
                END AS rank,
                CASE ?7 WHEN 'title' THEN substr(title, 1, ?9) ELSE x'' END
            FROM chosen JOIN items USING (number)
                LEFT JOIN tags AS filed ON ?8 = 'tag' AND filed.number = items.number
            WHERE (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2)))
                AND (?3 IS NULL OR EXISTS (SELECT 1 FROM json_each(?3) WHERE source GLOB value))
                AND (?4 IS NULL OR NOT EXISTS (
                    SELECT 1 FROM json_each(?4)
                    WHERE value NOT IN (SELECT tag FROM tags WHERE tags.number = items.number)
                ))
                AND (?5 IS NULL OR savedAt >= ?5) AND (?6 IS NULL OR savedAt <= ?6)
            ORDER BY rank, CASE ?7 WHEN 'title' THEN title END, savedAt DESC, items.number DESC
            """,
            values: [.integer(query.words == nil ? 0 : 1)] + Self.filter(query) + [
                .text(query.sort.rawValue), query.grouping.map { .text($0.rawValue) } ?? .null,
                .integer(Int64(LibraryOrderKey.titleBytesMax)),
            ]
        ) { found throws(StorageError) in
            let key = LibraryOrderKey(
                rank: found.integer(3),
                title: found.blob(4),
                savedAt: found.integer(2),
                number: found.integer(0)
            )
            row(key, found.text(1))
        }
    }

    /// What items must have, as five parameters: kinds, sources, tags, and between which times they were saved.
    static func filter(_ query: LibraryQuery) -> [SQLValue] {
        [
            list(query.kinds?.map(\.text)), list(query.sources),
            list(query.tags.isEmpty ? nil : query.tags.map(\.folded)), query.since.map { .integer($0) } ?? .null,
            query.until.map { .integer($0) } ?? .null,
        ]
    }

    private static func list(_ texts: [String]?) -> SQLValue {
        guard let texts else { return .null }
        return .text(String(decoding: JSONValue.array(texts.map { .string($0) }).bytes, as: UTF8.self))
    }
}

extension LibraryQuery {
    /// The query without the choice of a page.
    fileprivate var unlimited: LibraryQuery {
        var query = self
        (query.offset, query.cursor, query.limit) = (0, nil, 0)
        return query
    }

    /// Whether it wants all items in the order of an index.
    fileprivate var isPlain: Bool { words == nil && sort == .saved && isUnfiltered }

    private var isUnfiltered: Bool {
        kinds == nil && sources == nil && tags.isEmpty && since == nil && until == nil && grouping == nil
    }
}
