import Catalogue
import JSON
import Personal
import RPC
import SearchModel

/// One saved item.
struct LibraryGetMethod: Method {
    let description = MethodDescription.libraryGet
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        var parameters = try Parameters(call.params)
        let id = try parameters.requiredString(.id)
        try parameters.finish()
        return .running(channel: nil, memory: SavedItem.bytesMax) { _ throws(SearchError) in
            try await user.use { store throws(SearchError) in
                let (item, revision) = (try await store.item(id), try await store.revision())
                guard let item else { throw Self.notSaved }
                return .writing { writer in
                    writer.object { writer in
                        writer.member(.item, item.json)
                        writer.member(.revision, Int(revision))
                    }
                }
            }
        }
    }

    private static let notSaved = SearchError(
        .notFound,
        "No saved item has this id.",
        retryable: false,
        hint: "library/list lists what is saved.",
        path: "params.id"
    )
}

/// A part of what is saved, in a list or in groups.
struct LibraryListMethod: Method {
    let description = MethodDescription.libraryList
    let permission = MethodPermission.ownData
    let data: PersonalData

    func begin(_ call: Call) throws(SearchError) -> Beginning {
        let user = try data.user(of: call)
        let query = try Self.query(call.params)
        return .running(channel: nil, memory: LibraryQuery.pageBytesMax) { _ throws(SearchError) in
            let page = try await user.use { store throws(SearchError) in try await store.page(query) }
            return .writing { writer in
                writer.object { writer in
                    if let groups = page.groups { Self.write(groups, to: &writer) } else { writer.items(page.items) }
                    writer.member(.total, page.total)
                    writer.member(.revision, Int(page.revision))
                    writer.name(.next)
                    if let next = page.next { writer.string(next.text) } else { writer.null() }
                }
            }
        }
    }

    private static func write(_ groups: [LibraryPage.Group], to writer: inout JSONWriter) {
        writer.array(.groups) { writer in
            for group in groups {
                writer.object { writer in
                    writer.member(.name, group.name)
                    writer.member(.count, group.count)
                    writer.items(group.items)
                }
            }
        }
    }

    private static func query(_ params: JSONCursor?) throws(SearchError) -> LibraryQuery {
        var parameters = try Parameters(params)
        var query = LibraryQuery()
        if let text = try parameters.string(.query) {
            guard let words = LibraryQuery.words(text) else {
                throw parameters.mismatch(.query, "1 to \(SearchQuery.bytesMax) bytes of words")
            }
            query.words = words
        }
        query.kinds = try kinds(&parameters)
        query.sources = try sources(&parameters)
        query.tags = try parameters.tags(.tags)
        query.since = try parameters.instant(.since, isEnd: false)
        query.until = try parameters.instant(.until, isEnd: true)
        query.sort = try parameters.choice(.sort) ?? (query.words == nil ? .saved : .relevance)
        query.grouping = try parameters.choice(.groupBy)
        let offset = try parameters.integer(.offset, in: WireBounds.libraryOffset)
        let cursor = try parameters.string(.cursor)
        query.offset = offset ?? 0
        query.limit = try parameters.integer(.limit, in: WireBounds.limit) ?? WireBounds.libraryLimitDefault
        if let cursor {
            query.cursor = LibraryCursor(cursor)
            guard query.cursor != nil else {
                throw parameters.mismatch(.cursor, "a cursor that an earlier answer gave as \"next\"")
            }
        }
        try parameters.finish()
        guard cursor == nil || offset == nil, query.grouping == nil || (cursor == nil && offset == nil) else {
            throw Parameters.invalid(
                cursor == nil ? "params.offset" : "params.cursor",
                "\"offset\", \"cursor\" and \"groupBy\" exclude each other",
                hint: "Give one of them."
            )
        }
        return query
    }

    private static func kinds(_ parameters: inout Parameters) throws(SearchError) -> [Kind]? {
        guard let texts = try parameters.strings(.kinds, countMax: WireBounds.sourcesMax) else { return nil }
        let kinds = texts.compactMap { Kind($0) }
        guard kinds.count == texts.count else { throw parameters.mismatch(.kinds, "a list of kinds, such as blog") }
        return kinds
    }

    /// As patterns of names; what a source is called here need not be configured any more.
    private static func sources(_ parameters: inout Parameters) throws(SearchError) -> [String]? {
        guard let texts = try parameters.strings(.sources, countMax: WireBounds.sourcesMax) else { return nil }
        var patterns: [String] = []
        for text in texts {
            switch SourceSelector(text) {
            case .account(let account): patterns.append("\(account).*")
            case .source, .glob: patterns.append(text)
            case .profile, .edition, nil: throw parameters.mismatch(.sources, "a list of names, globs or accounts")
            }
        }
        return patterns
    }
}
