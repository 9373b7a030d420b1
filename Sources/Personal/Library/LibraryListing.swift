import JSON
import SearchModel
import Storage

/// The sorted items of a query, kept in memory for the next page of the same query.
struct LibraryListing {
    private let query: LibraryQuery
    private let revision: Int64
    private var keys: [LibraryCursor] = []
    /// The groups of each item, separated by line feeds.
    private var names: [Int64: String] = [:]

    init(_ query: LibraryQuery, _ revision: Int64, in database: Database) throws(StorageError) {
        (self.query, self.revision) = (query.unlimited, revision)
        let words = query.words.flatMap { TypedWords($0) }
        guard words != nil || query.words == nil else { return }
        let isRanked = query.sort == .relevance && query.grouping == nil
        var (keys, names) = (keys, names)
        try database.run(
            Self.statement(isOfWords: words != nil),
            values: [
                words.map { .text($0.expression) } ?? .null, .text(query.sort.rawValue),
                .integer(LibraryCursor.titleBytesMax), query.grouping.map { .text($0.rawValue) } ?? .null,
            ] + query.filter
        ) { row throws(StorageError) in
            var rank = row.integer(2)
            if let words {
                guard let found = words.rank(row.blob(5)) else { return }
                if isRanked { rank = found }
            }
            let number = row.integer(0)
            keys.append(LibraryCursor(rank: rank, title: row.blob(3), savedAt: row.integer(1), number: number))
            if query.grouping != nil { names[number] = row.text(4) }
        }
        keys.sort()
        (self.keys, self.names) = (keys, names)
    }

    func isOf(_ query: LibraryQuery, _ revision: Int64) -> Bool {
        self.revision == revision && self.query == query.unlimited
    }

    private static func statement(isOfWords: Bool) -> String {
        """
        SELECT
            number,
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
            \(isOfWords ? "item" : "NULL")
        FROM items
        WHERE \(isOfWords ? "number IN (SELECT rowid FROM words WHERE words MATCH ?1)" : "?1 IS NULL")
            AND (?5 IS NULL OR kind IN (SELECT value FROM json_each(?5)))
            AND (?6 IS NULL OR EXISTS (SELECT 1 FROM json_each(?6) WHERE source GLOB value))
            AND (?7 IS NULL OR NOT EXISTS (
                SELECT 1 FROM json_each(?7)
                WHERE value NOT IN (SELECT tag FROM tags WHERE tags.number = items.number)
            ))
            AND (?8 IS NULL OR savedAt >= ?8) AND (?9 IS NULL OR savedAt <= ?9)
        """
    }

    func page(_ query: LibraryQuery, of table: LibraryTable) throws(StorageError) -> LibraryPage {
        var page = LibraryPage(revision: revision)
        page.total = keys.count
        if query.grouping == nil {
            let start = query.cursor.map { cursor in keys.firstIndex { cursor < $0 } ?? keys.count }
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
            for name in names[key.number, default: ""].split(separator: "\n", omittingEmptySubsequences: false) {
                // Names that differ only in case form one group.
                let index = indexes[ExactText(name.lowercased()), default: groups.count]
                if index == groups.count {
                    indexes[ExactText(name.lowercased())] = index
                    groups.append((LibraryPage.Group(name: String(name), count: 0), []))
                }
                groups[index].group.count += 1
                if groups[index].numbers.count < query.limit { groups[index].numbers.append(key.number) }
            }
        }
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
                bytes += item.count
            }
            filled.append(group)
        }
        return filled
    }
}

extension LibraryPage {
    init(all query: LibraryQuery, of table: LibraryTable) throws(StorageError) {
        self.init(revision: try table.revision())
        total = try table.count()
        let keys = try table.database.all(
            """
            SELECT number, savedAt FROM items WHERE (savedAt, number) < (?, ?)
            ORDER BY savedAt DESC, number DESC LIMIT ? OFFSET ?
            """,
            .integer(query.cursor?.savedAt ?? .max),
            .integer(query.cursor?.number ?? .max),
            .integer(query.limit + 1),
            .integer(query.offset)
        ) { LibraryCursor(rank: 0, title: [], savedAt: $0.integer(1), number: $0.integer(0)) }
        try fill(keys[...], query, from: table)
    }

    fileprivate mutating func fill(
        _ keys: ArraySlice<LibraryCursor>,
        _ query: LibraryQuery,
        from table: LibraryTable
    ) throws(StorageError) {
        var (bytes, last) = (0, LibraryCursor?.none)
        for key in keys {
            guard items.count < query.limit, bytes < LibraryQuery.pageBytesMax else {
                next = last
                return
            }
            last = key
            guard let item = try table.kept(key.number) else { continue }
            items.append(item)
            bytes += item.count
        }
    }
}

extension LibraryQuery {
    var unlimited: LibraryQuery {
        var query = self
        (query.offset, query.cursor, query.limit) = (0, nil, 0)
        return query
    }

    var isPlain: Bool { unlimited == LibraryQuery().unlimited }

    /// The values of the statement's parameters from ?5 to ?9.
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
