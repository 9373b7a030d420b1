import JSON
import SearchModel
import Storage

/// The items that a query finds, in its order; kept for the next page of the same query.
///
/// They are read in several steps, since other users wait for each of them, and sorted at the end. An item takes 32
/// bytes: 3 MiB for a full library, for as long as the file is open.
struct LibraryListing: Sendable {
    /// Rows of one step, and those whose texts are looked at.
    private static let (rowsMax, looksMax) = (16_384, 2048)

    private let query: LibraryQuery
    private let revision: Int64
    private let words: TypedWords?
    private var keys: [LibraryOrderKey] = []
    /// The names of the groups of each item, one on a line.
    private var names: [Int64: String] = [:]
    /// The items that are still to be read; nil before the first step.
    private var rest: ArraySlice<Int64>?

    init(_ query: LibraryQuery, _ revision: Int64) {
        (self.query, self.revision) = (query.unlimited, revision)
        words = query.words.flatMap { TypedWords($0) }
        // Words that are too long, or nothing but punctuation, are in no item.
        if words == nil, query.words != nil { rest = [] }
    }

    /// Whether it can be used for a page of a query.
    func isOf(_ query: LibraryQuery, _ revision: Int64) -> Bool {
        self.revision == revision && self.query == query.unlimited
    }

    /// Reads some more items; true when all are read.
    mutating func advance(in database: Database) throws(StorageError) -> Bool {
        var rest = if let rest { rest } else { try numbers(in: database)[...] }
        defer { self.rest = rest }
        guard !rest.isEmpty else { return true }
        let isRanked = query.sort == .relevance && query.grouping == nil
        let step = rest.prefix(words == nil ? Self.rowsMax : Self.looksMax)
        rest.removeFirst(step.count)
        try database.run(
            Self.statement,
            values: [
                .text("[" + step.map { "\($0)" }.joined(separator: ",") + "]"), .text(query.sort.rawValue),
                .integer(LibraryOrderKey.titleBytesMax), query.grouping.map { .text($0.rawValue) } ?? .null,
                .integer(words == nil ? 0 : 1),
            ] + query.filter
        ) { row throws(StorageError) in
            let number = row.integer(0)
            var rank = row.integer(2)
            if let words {
                // The index finds more than what matches.
                guard let item = try? JSONDocument(row.blob(5)).root,
                    let found = words.rank(SavedItem.title(of: item), SavedItem.otherTexts(of: item))
                else { return }
                if isRanked { rank = found }
            }
            keys.append(LibraryOrderKey(rank: rank, title: row.blob(3), savedAt: row.integer(1), number: number))
            if query.grouping != nil { names[number] = row.text(4) }
        }
        if rest.isEmpty { keys.sort() }
        return rest.isEmpty
    }

    /// The items to be read: all, or those that have the words, the latest first.
    private func numbers(in database: Database) throws(StorageError) -> [Int64] {
        guard let words else { return try database.all("SELECT number FROM items") { $0.integer(0) } }
        return try database.all(
            "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC",
            .text(words.expression)
        ) { $0.integer(0) }
    }

    private static let statement = """
        SELECT
            items.number,
            savedAt,
            CASE ?2
                WHEN 'published' THEN ifnull(-published, 9223372036854775807)
                WHEN 'rating' THEN ifnull(-rating, 0)
                ELSE 0
            END,
            CASE ?2 WHEN 'title' THEN substr(title, 1, ?3) ELSE x'' END,
            CASE ?4
                WHEN 'genre' THEN genre
                WHEN 'kind' THEN kind
                WHEN 'source' THEN source
                WHEN 'month' THEN strftime('%Y-%m', savedAt, 'unixepoch')
                WHEN 'tag' THEN (SELECT group_concat(text, char(10)) FROM tags WHERE tags.number = items.number)
            END,
            CASE WHEN ?5 THEN item END
        FROM json_each(?1) AS wanted JOIN items ON items.number = wanted.value
        WHERE (?6 IS NULL OR kind IN (SELECT value FROM json_each(?6)))
            AND (?7 IS NULL OR EXISTS (SELECT 1 FROM json_each(?7) WHERE source GLOB value))
            AND (?8 IS NULL OR NOT EXISTS (
                SELECT 1 FROM json_each(?8)
                WHERE value NOT IN (SELECT tag FROM tags WHERE tags.number = items.number)
            ))
            AND (?9 IS NULL OR savedAt >= ?9) AND (?10 IS NULL OR savedAt <= ?10)
        """

    // MARK: Pages

    /// Makes a page, once all items are read.
    func page(_ query: LibraryQuery, of table: LibraryTable) throws(StorageError) -> LibraryPage {
        var page = LibraryPage(revision: revision)
        page.total = keys.count
        if query.grouping == nil {
            let start = query.cursor.map { cursor in keys.firstIndex { cursor.precedes($0) } ?? keys.count }
            try page.fill(keys.dropFirst(start ?? query.offset), query, from: table)
        } else {
            page.groups = try groups(query, of: table)
        }
        return page
    }

    private func groups(_ query: LibraryQuery, of table: LibraryTable) throws(StorageError) -> [LibraryPage.Group] {
        var indexes: [ExactText: Int] = [:]
        var groups: [(group: LibraryPage.Group, numbers: [Int64])] = []
        for key in keys {
            // An item with several tags is in the groups of all of them.
            for name in names[key.number, default: ""].split(separator: "\n", omittingEmptySubsequences: false) {
                // As tags, all names are the same that differ in case only.
                let index = indexes[ExactText(name.lowercased()), default: groups.count]
                if index == groups.count {
                    indexes[ExactText(name.lowercased())] = index
                    groups.append((LibraryPage.Group(name: String(name), count: 0), []))
                }
                groups[index].group.count += 1
                if groups[index].numbers.count < query.limit { groups[index].numbers.append(key.number) }
            }
        }
        // Items without a name come last; groups of one size in the order of their first items.
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
        return filled
    }
}

extension LibraryPage {
    /// A page of all items, the latest first, as an index has them.
    init(all query: LibraryQuery, of table: LibraryTable) throws(StorageError) {
        self.init(revision: try table.revision())
        total = try table.count()
        let keys = try table.database.all(
            """
            SELECT number, savedAt FROM items WHERE (savedAt, number) < (?, ?)
            ORDER BY savedAt DESC, number DESC LIMIT ? OFFSET ?
            """,
            .integer(query.cursor?.key.savedAt ?? .max),
            .integer(query.cursor?.key.number ?? .max),
            .integer(query.limit + 1),
            .integer(query.offset)
        ) { LibraryOrderKey(rank: 0, title: [], savedAt: $0.integer(1), number: $0.integer(0)) }
        try fill(keys[...], query, from: table)
    }

    fileprivate mutating func fill(
        _ keys: ArraySlice<LibraryOrderKey>,
        _ query: LibraryQuery,
        from table: LibraryTable
    ) throws(StorageError) {
        var (bytes, last) = (0, LibraryOrderKey?.none)
        for key in keys {
            guard items.count < query.limit, bytes < LibraryQuery.pageBytesMax else {
                next = last.map { LibraryCursor(after: $0) }
                return
            }
            last = key
            guard let item = try table.kept(key.number) else { continue }
            items.append(item)
            bytes += item.bytes.count
        }
    }
}

extension LibraryQuery {
    /// The query without the choice of a page.
    var unlimited: LibraryQuery {
        var query = self
        (query.offset, query.cursor, query.limit) = (0, nil, 0)
        return query
    }

    /// Whether it wants all items in the order of an index.
    var isPlain: Bool { unlimited == LibraryQuery().unlimited }

    /// The conditions, as five parameters: kinds, sources, tags, and between which times an item was saved.
    fileprivate var filter: [SQLValue] {
        [
            Self.list(kinds?.map(\.text)), Self.list(sources), Self.list(tags.isEmpty ? nil : tags.map(\.folded)),
            since.map { .integer($0) } ?? .null, until.map { .integer($0) } ?? .null,
        ]
    }

    static func list(_ texts: [String]?) -> SQLValue {
        guard let texts else { return .null }
        return .text(String(decoding: JSONValue.array(texts.map { .string($0) }).bytes, as: UTF8.self))
    }
}
