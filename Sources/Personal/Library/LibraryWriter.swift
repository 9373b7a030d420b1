import JSON
import SearchModel
import Storage

/// Changes a library in one transaction; it must not be used after that.
///
/// A request may change many rows, which are written one by one: other users have their turns between them.
struct LibraryWriter {
    private typealias Answer = Result<LibraryOutcome, SearchError>

    private enum Write {
        case insert(SavedItem)
        case update(SavedItem)
        case remove(String)
    }

    private let table: LibraryTable
    /// After the latest request.
    private var revision: Int64
    private let revisionBefore: Int64
    private var hasRemoved = false
    /// What the latest request has to write, the last first.
    private var writes: [Write] = []

    private var refreshes: RefreshTable { RefreshTable(database: table.database) }

    init(_ table: LibraryTable) throws(StorageError) {
        self.table = table
        revision = try table.revision()
        revisionBefore = revision
    }

    /// Writes a row of the latest request; false when nothing is left.
    mutating func writeNext() throws(StorageError) -> Bool {
        switch writes.popLast() {
        case .insert(let item)?: try table.insert(item, revision)
        case .update(let item)?: try table.update(item, revision)
        case .remove(let id)?: try table.remove(id, revision)
        case nil: return false
        }
        return true
    }

    /// To be called once, before the transaction ends.
    func finish() throws(StorageError) {
        guard revision != revisionBefore else { return }
        try table.setRevision(revision)
        if hasRemoved { try table.forgetRemoved() }
    }

    // MARK: Requests

    /// Does what a user asks, but for the rows that `writeNext` must write before the next request.
    ///
    /// - Returns: What came of it; nothing is to be written when it fails by the user's mistake.
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
        // A request may name an item twice.
        var order: [ExactText] = []
        var states: [ExactText: (before: SavedItem?, after: SavedItem)] = [:]
        for draft in drafts {
            let id = ExactText(draft.id)
            var state = states[id]
            if state == nil {
                order.append(id)
                state = try table.item(draft.id).map { ($0, $0) }
            }
            guard let (before, after) = state else {
                states[id] = (nil, draft)
                continue
            }
            do throws(SearchError) {
                states[id] = (before, try after.adding(draft, at: now))
            } catch {
                return .failure(error)
            }
        }
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: revision + 1)
        for case let (before, after)? in order.map({ states[$0] }) where before != after {
            if before == nil { change.inserted.append(after) } else { change.updated.append(after) }
        }
        outcome.added = change.inserted.count
        outcome.items = drafts.compactMap { states[ExactText($0.id)]?.after }
        let hasRoom = change.inserted.isEmpty ? true : try table.hasRoom(for: change.inserted.count)
        return hasRoom ? .success(write(change, outcome)) : .failure(Self.full)
    }

    private mutating func remove(_ ids: [String]) throws(StorageError) -> Answer {
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: revision + 1)
        for id in Self.distinct(ids) {
            guard let item = try table.item(id) else { continue }
            outcome.items.append(item)
            change.deleted.append(id)
        }
        return outcome.isTooLarge ? .failure(Self.tooLarge) : .success(write(change, outcome))
    }

    private mutating func edit(_ ids: [String], _ edit: LibraryEdit, at now: Int64) throws(StorageError) -> Answer {
        var outcome = LibraryOutcome(revision: revision)
        var change = LibraryChange(revision: revision + 1)
        let ids = Self.distinct(ids)
        for id in ids {
            guard let item = try table.item(id) else { return .failure(Self.notSaved(id)) }
            do throws(SearchError) {
                let edited = try edit.applied(to: item, at: now)
                outcome.items.append(edited ?? item)
                if let edited { change.updated.append(edited) }
            } catch {
                return .failure(error)
            }
        }
        guard !outcome.isTooLarge else { return .failure(Self.tooLarge) }
        if case .refresh = edit {
            // They are done, in the same commit.
            for id in ids { try refreshes.end(id) }
        }
        return .success(write(change, outcome))
    }

    private static func distinct(_ ids: [String]) -> [String] {
        var seen: Set<ExactText> = []
        return ids.filter { seen.insert(ExactText($0)).inserted }
    }

    /// Prepares to write a change under its revision, unless nothing changes.
    private mutating func write(_ change: LibraryChange, _ outcome: LibraryOutcome) -> LibraryOutcome {
        guard !change.isEmpty else { return outcome }
        writes = change.inserted.map { .insert($0) } + change.updated.map { .update($0) }
        writes += change.deleted.map { .remove($0) }
        writes.reverse()
        (revision, hasRemoved) = (change.revision, hasRemoved || !change.deleted.isEmpty)
        var outcome = outcome
        (outcome.revision, outcome.change) = (change.revision, change)
        return outcome
    }

    private func queueRefreshes(_ ids: [String]?, of sources: Set<SourceName>) throws(StorageError) -> Answer {
        var outcome = LibraryOutcome(revision: revision)
        guard let ids else {
            (outcome.queued, outcome.left) = try refreshes.addAll(of: sources)
            return .success(outcome)
        }
        for id in Self.distinct(ids) {
            guard let item = try refreshes.item(id) else { return .failure(Self.notSaved(id)) }
            if let source = item.source, sources.contains(source) {
                try refreshes.add(item.number, of: source)
                outcome.queued += 1
            } else {
                outcome.left += 1
            }
        }
        return .success(outcome)
    }

    // MARK: Refusals

    private static let tooLarge = SearchError(
        .invalidParams,
        "These items have more than \(LibraryRequest.bytesMax >> 20) MiB.",
        retryable: false,
        hint: "Name fewer at a time.",
        path: "params.ids"
    )

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

extension LibraryOutcome {
    fileprivate var isTooLarge: Bool { items.reduce(0) { $0 + $1.bytes } > LibraryRequest.bytesMax }
}

extension SavedItem {
    /// With the tags and notes that another of the same id brings and this one has not; all else stays.
    fileprivate func adding(_ other: SavedItem, at now: Int64) throws(SearchError) -> SavedItem {
        var joined = self
        for tag in other.tags { try joined.add(tag: tag, path: "params.tags") }
        for note in other.notes where !notes.contains(where: { $0.saysSame(as: note) }) {
            var note = note
            note.id = try joined.nextNoteID()
            joined.notes.append(note)
        }
        if joined != self { joined.updatedAt = now }
        try joined.checkSize(path: "params")
        return joined
    }
}
