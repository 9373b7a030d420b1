import JSON
import SearchModel
import Storage

/// Reading parts of a library; used by its store only.
struct LibraryListing {
    let table: LibraryTable

    var database: Database { table.database }

    func page(_ query: LibraryQuery) throws(StorageError) -> LibraryPage {
        var page = LibraryPage(revision: try table.revision())
        if query.grouping != nil { page.groups = [] }
        if let text = query.words {
            // Words that are too long, or nothing but signs, stand in no item.
            guard let words = TypedWords(text) else { return page }
            if query.sort == .relevance, query.grouping == nil {
                let needed = query.cursor == nil ? query.offset + query.limit : .max
                let found = try ranked(words, query, needed: needed, &page)
                let keys = found.ranked.map { number, rank, savedAt in
                    LibraryOrderKey(rank: rank, title: [], savedAt: savedAt, number: number)
                }
                try fill(&page, query, keys)
                return page
            }
            try find(words, query, &page)
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
            if let item = try item(keys[end].number) {
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
                guard let item = try item(number) else { continue }
                group.items.append(item)
                bytes += item.bytes.count
            }
            filled.append(group)
        }
        page.groups = filled
    }

    private func item(_ number: Int64) throws(StorageError) -> KeptItem? {
        try database.first("SELECT item FROM items WHERE number = ?", .integer(number)) { KeptItem($0.blob(0)) } ?? nil
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
    /// Whether it wants all items in the order of an index.
    fileprivate var isPlain: Bool { words == nil && sort == .saved && isUnfiltered }

    private var isUnfiltered: Bool {
        kinds == nil && sources == nil && tags.isEmpty && since == nil && until == nil && grouping == nil
    }
}
