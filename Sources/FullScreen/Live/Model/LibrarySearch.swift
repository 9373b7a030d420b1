import Client
import JSON
import RPC
import SearchModel
import Terminal

/// A search of the library, which follows its changes; pure.
struct LibrarySearch {
    private(set) var question = LibraryQuestion()
    private(set) var field = TextField()
    private(set) var results = ResultPane()
    /// Whether the library has changed since it was listed.
    private var isOld = false

    var list: HitList {
        get { results.list }
        set { results.list = newValue }
    }

    // MARK: Editing

    mutating func edit(_ input: InputEvent, kinds: [String], _ outbox: inout LiveOutbox) {
        guard field.receivedChange(input) else { return }
        question.query = field.text
        ask(isNew: true, kinds: kinds, &outbox)
    }

    mutating func moveCursor(toShown column: Int, columns: Int) { field.moveCursor(toShown: column, columns: columns) }

    mutating func nextSort(kinds: [String], _ outbox: inout LiveOutbox) {
        question.nextSort()
        ask(isNew: true, kinds: kinds, &outbox)
    }

    mutating func nextGroup(kinds: [String], _ outbox: inout LiveOutbox) {
        question.nextGroup()
        ask(isNew: true, kinds: kinds, &outbox)
    }

    // MARK: Asking

    /// Lists it anew; `isNew` when another part of it is asked for.
    mutating func ask(isNew: Bool = false, kinds: [String], _ outbox: inout LiveOutbox) {
        isOld = false
        outbox.forget(where: \.isList)
        if isNew || !results.isAnswered { results.begin() }
        let count = isNew ? 0 : results.list.items.count
        outbox.send(.libraryList, .list(isMore: false), params: question.params(kinds: kinds, count: count))
    }

    /// It comes into view: what has changed meanwhile is asked for.
    mutating func show(kinds: [String], _ outbox: inout LiveOutbox) {
        if isOld || !results.isAnswered { ask(kinds: kinds, &outbox) }
    }

    mutating func askForMore(ahead: Int, kinds: [String], _ outbox: inout LiveOutbox) {
        guard outbox.isConnected, !question.isGrouped, results.needsMore(ahead: ahead), let cursor = results.cursor
        else { return }
        results.beginMore()
        outbox.send(.libraryList, .list(isMore: true), params: question.params(cursor: cursor, kinds: kinds))
    }

    /// Some program has changed the library.
    mutating func changed(isShown: Bool, kinds: [String], _ outbox: inout LiveOutbox) {
        // One list at a time, however many changes come.
        if isShown, outbox.id(where: \.isList) == nil { ask(kinds: kinds, &outbox) } else { isOld = true }
    }

    // MARK: Answers

    mutating func finish(_ result: JSONCursor, isMore: Bool, kinds: [String], _ outbox: inout LiveOutbox) {
        results.finish(library: result, isMore: isMore)
        if isOld { ask(kinds: kinds, &outbox) }
    }

    mutating func fail(_ error: ClientError, isMore: Bool) { results.fail(error, isMore: isMore) }
}

/// Which hits are in the library, as far as is known here, and up to which of its changes; pure.
struct SavedHits {
    private var ids: Set<ExactText> = []
    private var revision: Int?

    func contains(_ id: ExactText) -> Bool { ids.contains(id) }

    mutating func insert(_ id: ExactText) { ids.insert(id) }
    mutating func formUnion(_ other: some Sequence<ExactText>) { ids.formUnion(other) }
    mutating func remove(_ id: ExactText) { ids.remove(id) }

    /// Asks for the changes from now on, or since the last that is known.
    func follow(_ outbox: inout LiveOutbox) {
        guard let revision else { return outbox.send(.libraryList, .revision) { $0.member(.limit, 1) } }
        outbox.send(.libraryWatch, .watch) { $0.member(.since, revision) }
    }

    mutating func received(revision result: JSONCursor, _ outbox: inout LiveOutbox) {
        revision = result[.revision]?.int ?? 0
        follow(&outbox)
    }

    mutating func received(change: JSONCursor) {
        revision = change[.revision]?.int ?? revision
        for member in [Member.inserted, .updated] {
            change[member]?.forEachElement { insert(ExactText($0[.id]?.string ?? "")) }
        }
        change[.deleted]?.forEachElement { remove(ExactText($0.string ?? "")) }
    }
}
