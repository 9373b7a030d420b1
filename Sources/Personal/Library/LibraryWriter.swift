import JSON
import SearchModel
import Storage

/// Changes a library within one transaction.
struct LibraryWriter {
    private typealias Answer = Result<LibraryOutcome, SearchError>

    private let table: LibraryTable
    private(set) var revision: Int64

    private var refreshes: RefreshTable { RefreshTable(database: table.database) }

    init(_ table: LibraryTable) throws(StorageError) {
        self.table = table
        revision = try table.revision()
    }

    /// Must be called once, after the last request.
    func finish() throws(StorageError) { try table.setRevision(revision) }

    /// If the result is a failure, the request has written nothing.
    mutating func perform(
        _ request: LibraryRequest,
        at now: Int64
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        switch request {
        case .save(let items): return try save(items, at: now)
        case .remove(let ids): return try remove(ids)
        case .edit(let ids, let edit): return try self.edit(ids, edit, at: now)
        case .queueRefreshes(let ids, let sources): return try queueRefreshes(ids, of: sources)
        case .endRefresh(let id):
            try refreshes.end(id)
            return .success(LibraryOutcome(revision: revision))
        }
    }

    private mutating func save(_ drafts: [SavedItem], at now: Int64) throws(StorageError) -> Answer {
        var order: [ExactText] = []
        var states: [ExactText: (before: SavedItem?, after: SavedItem)] = [:]
        for draft in drafts {
            let id = ExactText(draft.id)
            var state = states[id]
            if state == nil {
                order.append(id)
                state = try table.item(draft.id).map { ($0, $0) }
            }
            do throws(SearchError) {
                states[id] = (state?.before, try state?.after.adding(draft, at: now) ?? draft)
            } catch {
                return .failure(error)
            }
        }
        var change = LibraryChange(revision: revision + 1)
        for case let (before, after)? in order.map({ states[$0] }) {
            if let before {
                if before != after { change.updated.append(after) }
            } else {
                change.inserted.append(after)
            }
        }
        if !change.inserted.isEmpty, try !table.hasRoom(for: change.inserted.count) { return .failure(Self.full) }
        return .success(try write(change, drafts.compactMap { states[ExactText($0.id)]?.after }))
    }

    private mutating func remove(_ ids: [String]) throws(StorageError) -> Answer {
        var items: [SavedItem] = []
        for id in Self.distinct(ids) {
            if let item = try table.item(id) { items.append(item) }
        }
        guard !Self.isTooLarge(items) else { return .failure(Self.tooLarge) }
        let (ids, titles) = (items.map(\.id), items.map(\.hit.title))
        let change = LibraryChange(revision: revision + 1, deleted: ids, deletedTitles: titles)
        return .success(try write(change, items))
    }

    private mutating func edit(_ ids: [String], _ edit: LibraryEdit, at now: Int64) throws(StorageError) -> Answer {
        var items: [SavedItem] = []
        var change = LibraryChange(revision: revision + 1)
        let ids = Self.distinct(ids)
        for id in ids {
            guard let item = try table.item(id) else { return .failure(Self.notSaved(id)) }
            do throws(SearchError) {
                let edited = try edit.applied(to: item, at: now)
                items.append(edited ?? item)
                if let edited { change.updated.append(edited) }
            } catch {
                return .failure(error)
            }
        }
        guard !Self.isTooLarge(items) else { return .failure(Self.tooLarge) }
        if case .refresh = edit {
            for id in ids { try refreshes.end(id) }
        }
        return .success(try write(change, items))
    }

    private static func distinct(_ ids: [String]) -> [String] {
        var seen: Set<ExactText> = []
        return ids.filter { seen.insert(ExactText($0)).inserted }
    }

    private mutating func write(
        _ change: LibraryChange,
        _ items: [SavedItem]
    ) throws(StorageError) -> LibraryOutcome {
        guard !change.isEmpty else { return LibraryOutcome(items: items, revision: revision) }
        revision = change.revision
        for item in change.inserted { try table.insert(item, revision) }
        for item in change.updated { try table.update(item, revision) }
        for id in change.deleted { try table.remove(id, revision) }
        if !change.deleted.isEmpty { try table.forgetRemoved() }
        return LibraryOutcome(items: items, revision: revision, change: change)
    }

    private func queueRefreshes(_ ids: [String]?, of sources: Set<SourceName>) throws(StorageError) -> Answer {
        let named = ids.map(Self.distinct)
        let missing = try table.database.first(
            "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT id FROM items) LIMIT 1",
            LibraryQuery.list(named ?? [])
        ) { $0.text(0) }
        if let missing { return .failure(Self.notSaved(missing)) }
        let queued = try refreshes.add(named, of: sources)
        let asked = if let named { named.count } else { try table.count() }
        return .success(LibraryOutcome(queued: queued, left: asked - queued, revision: revision))
    }

    private static func isTooLarge(_ items: [SavedItem]) -> Bool {
        items.reduce(0) { $0 + $1.bytes } > LibraryRequest.bytesMax
    }

    private static let tooLarge = SearchError(
        .invalidParams,
        "These items are larger than \(LibraryRequest.bytesMax >> 20) MiB.",
        retryable: false,
        hint: "Send fewer ids in one request.",
        path: "params.ids"
    )

    private static func notSaved(_ id: String) -> SearchError {
        SearchError(
            .notFound,
            "No saved item has the id \(id).",
            hint: "Save it first; library/list lists the saved items."
        )
    }

    private static let full = SearchError(
        .limitReached,
        "A library can have at most \(LibraryTable.itemsMax) items.",
        retryable: false,
        hint: "Export and then remove some items."
    )
}

extension SavedItem {
    /// Adds the tags and notes of `other`.
    ///
    /// If the title equals the address, the page could not be read before, so the hit is updated, too.
    fileprivate func adding(_ other: SavedItem, at now: Int64) throws(SearchError) -> SavedItem {
        var joined = self
        if let url = hit.url, hit.title.hasSameBytes(as: url) { joined.hit = try hit.updated(by: other.hit) }
        for tag in other.tags { try joined.add(tag: tag, path: "params.tags") }
        for note in other.notes where !notes.contains(where: { $0.hasSameContent(as: note) }) { try joined.add(note) }
        if self != joined { joined.updatedAt = now }
        try joined.checkSize(path: "params")
        return joined
    }
}
