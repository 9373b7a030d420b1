import JSON
import SearchModel
import Storage

/// Changes a library in one transaction; it must not be used after that.
struct LibraryWriter {
    private let table: LibraryTable
    /// After the latest request.
    private(set) var revision: Int64
    private let revisionBefore: Int64
    private var hasRemoved = false

    private var refreshes: RefreshTable { RefreshTable(database: table.database) }

    init(_ table: LibraryTable) throws(StorageError) {
        self.table = table
        revision = try table.revision()
        revisionBefore = revision
    }

    /// To be called once, before the transaction ends.
    func finish() throws(StorageError) {
        guard revision != revisionBefore else { return }
        try table.setRevision(revision)
        if hasRemoved { try table.forgetRemoved() }
    }

    // MARK: Requests

    /// Does what a user asks; nothing is written when it fails by the user's mistake.
    mutating func perform(
        _ request: LibraryRequest,
        at now: Int64
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        switch request {
        case .save(let items): try save(items, at: now)
        case .remove(let ids): try remove(ids)
        case .edit(let ids, let edit): try self.edit(ids, edit, at: now)
        case .queueRefreshes(let ids, let sources): try queueRefreshes(ids, of: sources)
        case .endRefresh(let id): try endRefresh(id)
        }
    }

    private mutating func save(
        _ drafts: [SavedItem],
        at now: Int64
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: outcome.revision + 1)
        // A request may name an item twice.
        var seen: [ExactText: SavedItem] = [:]
        var inserted: Set<ExactText> = []
        for draft in drafts {
            let id = ExactText(draft.id)
            let known = if let item = seen[id] { Optional(item) } else { try table.item(draft.id) }
            guard let known else {
                inserted.insert(id)
                seen[id] = draft
                continue
            }
            do throws(SearchError) {
                seen[id] = try known.adding(draft, at: now)
            } catch {
                return .failure(error)
            }
            if !inserted.contains(id), seen[id] != known { change.updated.append(known) }
        }
        outcome.added = inserted.count
        outcome.items = drafts.compactMap { seen[ExactText($0.id)] }
        var told: Set<ExactText> = []
        let all = outcome.items.filter { told.insert(ExactText($0.id)).inserted }
        let changed = Set(change.updated.map { ExactText($0.id) })
        change.inserted = all.filter { inserted.contains(ExactText($0.id)) }
        change.updated = all.filter { changed.contains(ExactText($0.id)) }
        let hasRoom = inserted.isEmpty ? true : try table.hasRoom(for: inserted.count)
        guard hasRoom else { return .failure(Self.full) }
        return .success(try finish(outcome, change))
    }

    private mutating func remove(_ ids: [String]) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: outcome.revision + 1)
        var seen: Set<ExactText> = []
        for id in ids where seen.insert(ExactText(id)).inserted {
            guard let item = try table.item(id) else { continue }
            outcome.items.append(item)
            change.deleted.append(id)
            if let refusal = Self.refusal(of: outcome) { return .failure(refusal) }
        }
        return .success(try finish(outcome, change))
    }

    private mutating func edit(
        _ ids: [String],
        _ edit: LibraryEdit,
        at now: Int64
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: outcome.revision + 1)
        var seen: Set<ExactText> = []
        for id in ids where seen.insert(ExactText(id)).inserted {
            guard let item = try table.item(id) else { return .failure(Self.notSaved(id)) }
            do throws(SearchError) {
                let edited = try edit.applied(to: item, at: now)
                outcome.items.append(edited ?? item)
                if let edited { change.updated.append(edited) }
                if let refusal = Self.refusal(of: outcome) { return .failure(refusal) }
            } catch {
                return .failure(error)
            }
            // It is done, in the same commit.
            if case .refresh = edit { try refreshes.end(id) }
        }
        return .success(try finish(outcome, change))
    }

    /// Writes a change under its revision, unless there is none.
    private mutating func finish(
        _ outcome: LibraryOutcome,
        _ change: LibraryChange
    ) throws(StorageError) -> LibraryOutcome {
        guard !change.isEmpty else { return outcome }
        for item in change.inserted { try table.insert(item, change.revision) }
        for item in change.updated { try table.update(item, change.revision) }
        for id in change.deleted { try table.remove(id, change.revision) }
        (revision, hasRemoved) = (change.revision, hasRemoved || !change.deleted.isEmpty)
        var outcome = outcome
        outcome.revision = change.revision
        outcome.change = change
        return outcome
    }

    /// Why a step that has come to so much is not done; nil when it may be.
    private static func refusal(of outcome: LibraryOutcome) -> SearchError? {
        guard outcome.items.reduce(0, { $0 + $1.bytes }) > LibraryRequest.bytesMax else { return nil }
        return SearchError(
            .invalidParams,
            "These items have more than \(LibraryRequest.bytesMax >> 20) MiB.",
            retryable: false,
            hint: "Name fewer at a time.",
            path: "params.ids"
        )
    }

    // MARK: Refreshing

    private func queueRefreshes(
        _ ids: [String]?,
        of sources: Set<SourceName>
    ) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        var outcome = LibraryOutcome(revision: revision)
        guard let ids else {
            (outcome.queued, outcome.left) = try refreshes.addAll(of: sources)
            return .success(outcome)
        }
        var seen: Set<Int64> = []
        for id in ids {
            guard let item = try refreshes.item(id) else { return .failure(Self.notSaved(id)) }
            guard seen.insert(item.number).inserted else { continue }
            if let source = item.source, sources.contains(source) {
                try refreshes.add(item.number, of: source)
                outcome.queued += 1
            } else {
                outcome.left += 1
            }
        }
        return .success(outcome)
    }

    private func endRefresh(_ id: String) throws(StorageError) -> Result<LibraryOutcome, SearchError> {
        try refreshes.end(id)
        return .success(LibraryOutcome(revision: revision))
    }

    // MARK: Refusals

    private static func notSaved(_ id: String) -> SearchError {
        SearchError(
            .notFound,
            "No saved item has the id \(id).",
            hint: "Save it first; library/list lists what is saved."
        )
    }

    private static let full = SearchError(
        .limitReached,
        "A library holds at most \(LibraryTable.itemsMax) items.",
        retryable: false,
        hint: "Remove some, or export and remove old ones."
    )
}

extension SavedItem {
    /// With the tags and notes that another of the same id brings and this one has not; all else stays.
    fileprivate func adding(_ other: SavedItem, at now: Int64) throws(SearchError) -> SavedItem {
        var joined = self
        for tag in other.tags { try joined.add(tag: tag, path: "params.tags") }
        for note in other.notes where !notes.contains(where: { $0.saysSame(as: note) }) {
            guard joined.notes.count < Self.notesMax else {
                throw SearchError(.invalidParams, "An item has at most \(Self.notesMax) notes.", path: "params.note")
            }
            let number = (joined.notes.compactMap { Int($0.id) }.max() ?? 0) + 1
            joined.notes.append(
                Note(id: "\(number)", title: note.title, text: note.text, rating: note.rating, at: note.at)
            )
        }
        if joined != self { joined.updatedAt = now }
        try joined.checkSize(path: "params")
        return joined
    }
}
