import Catalogue
import JSON
import Personal
import RPC
import SearchModel

/// Reads parameters that several methods share.
extension Parameters {
    mutating func ids() throws(SearchError) -> [String] {
        guard let ids = try optionalIDs() else { throw idsMismatch }
        return ids
    }

    mutating func optionalIDs() throws(SearchError) -> [String]? {
        guard let ids = try strings(.ids, countMax: WireBounds.libraryItemsMax) else { return nil }
        guard !ids.isEmpty else { throw idsMismatch }
        return ids
    }

    private var idsMismatch: SearchError { mismatch(.ids, "a list of 1 to \(WireBounds.libraryItemsMax) ids") }

    mutating func tags(_ name: Member) throws(SearchError) -> [Tag] {
        guard let texts = try strings(name, countMax: SavedItem.tagsMax) else { return [] }
        var tags: [Tag] = []
        for (index, text) in texts.enumerated() {
            tags.append(try Tag(value: .string(text), path: "params.\(name)[\(index)]"))
        }
        return tags
    }

    mutating func note() throws(SearchError) -> Note? {
        guard let note = try object(.note) else { return nil }
        return try Note(note.value, at: 0, path: "params.note")
    }

    /// Returns seconds since 1970.
    ///
    /// For a date, returns the first second of the day in UTC, or the last second if `isEnd` is true.
    mutating func instant(_ name: Member, isEnd: Bool) throws(SearchError) -> Int64? {
        guard let text = try string(name) else { return nil }
        if text.utf8.count <= 40 {
            if let seconds = RFC3339.epochSeconds(text) { return seconds }
            if let start = RFC3339.epochSeconds(text + "T00:00:00Z") { return isEnd ? start + 86_399 : start }
        }
        throw mismatch(name, "a date such as 2024-03-09, or a time such as 2024-03-09T11:51:51+09:00")
    }

    mutating func query(_ name: Member) throws(SearchError) -> SearchQuery? {
        guard let text = try string(name) else { return nil }
        return try query(text, name)
    }

    mutating func requiredQuery(_ name: Member) throws(SearchError) -> SearchQuery {
        try query(try requiredString(name), name)
    }

    private func query(_ text: String, _ name: Member) throws(SearchError) -> SearchQuery {
        if let query = SearchQuery(text) { return query }
        throw mismatch(name, "1 to \(SearchQuery.bytesMax) bytes of text")
    }

    mutating func libraryQuery() throws(SearchError) -> LibraryQuery {
        var query = LibraryQuery()
        if let text = try string(.query) {
            query.words = LibraryQuery.words(text)
            guard query.words != nil else { throw mismatch(.query, "1 to \(SearchQuery.bytesMax) bytes of words") }
        }
        query.kinds = try kinds()
        query.sources = try sourcePatterns()
        query.tags = try tags(.tags)
        query.since = try instant(.since, isEnd: false)
        query.until = try instant(.until, isEnd: true)
        query.sort = try choice(.sort) ?? (query.words == nil ? .saved : .relevance)
        query.grouping = try choice(.groupBy)
        let offset = try integer(.offset, in: WireBounds.libraryOffset)
        query.offset = offset ?? 0
        query.limit = try integer(.limit, in: WireBounds.limit) ?? WireBounds.libraryLimitDefault
        if let cursor = try string(.cursor) {
            query.cursor = LibraryCursor(cursor)
            guard query.cursor != nil else {
                throw mismatch(.cursor, "a cursor that an earlier answer gave as \"next\"")
            }
        }
        guard [offset != nil, query.cursor != nil, query.grouping != nil].count(where: \.self) <= 1 else {
            throw Self.invalid(
                query.cursor == nil ? "params.offset" : "params.cursor",
                "\"offset\", \"cursor\" and \"groupBy\" can't be combined",
                hint: "Give one of them."
            )
        }
        return query
    }

    mutating func kinds() throws(SearchError) -> [Kind]? {
        guard let names = try strings(.kinds, countMax: WireBounds.sourcesMax) else { return nil }
        var kinds: [Kind] = []
        for (index, name) in names.enumerated() {
            guard let kind = Kind(name) else {
                throw Self.invalid(
                    "params.kinds[\(index)]",
                    "not a valid kind",
                    hint: "Kinds are words such as blog, book or app."
                )
            }
            kinds.append(kind)
        }
        return kinds
    }

    private mutating func sourcePatterns() throws(SearchError) -> [String]? {
        guard let texts = try strings(.sources, countMax: WireBounds.sourcesMax) else { return nil }
        let patterns = texts.compactMap { SourceSelector($0)?.pattern }
        guard patterns.count == texts.count else { throw mismatch(.sources, "a list of names, globs or accounts") }
        return patterns
    }
}
