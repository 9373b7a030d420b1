import EventLoop
import Personal
import SearchModel

/// One user's suggestions, read when needed; used only on the loop, so `@unchecked` is safe.
final class UserSuggestions: @unchecked Sendable {
    static let idleMax = Duration.seconds(600)
    /// If a change has more items, reading everything again is faster than applying the change.
    private static let itemsAppliedMax = 64
    /// How long after the deletion of an item everything is read again.
    ///
    /// Until then, the item's title is not suggested, even if an earlier hit has the same title.
    private static let staleMax = Duration.seconds(10)

    private let store: PersonalStore
    private let history: UserHistory
    private let loop: EventLoop
    private unowned let data: PersonalData
    private var index: SuggestionIndex?
    private var renewAt: Instant?
    private var reading: Task<SearchError?, Never>?
    /// The changes since the reading began; nil if no reading is in progress.
    private var missed: [SuggestionIndex.Change]?
    /// Increases when the reading in progress must be ignored.
    private var drops = 0
    private var timer: Timer?
    private(set) var usedAt: Instant

    init(_ store: PersonalStore, _ history: UserHistory, of data: PersonalData, on loop: EventLoop) {
        self.store = store
        self.history = history
        self.data = data
        self.loop = loop
        usedAt = loop.now
    }

    var count: Int { index?.count ?? 0 }
    var isLoadedOrLoading: Bool { index != nil || reading != nil }

    func known(
        for prefix: String,
        limit: Int,
        foundOnly: Bool = false,
        kind: Suggestion.Kind? = nil
    ) -> [Suggestion]? {
        if let renewAt, loop.now >= renewAt { drop() }
        guard index != nil else { return nil }
        usedAt = loop.now
        let oldest = store.oldest(data.historySettings)
        return index?.suggestions(prefix, limit: limit, since: oldest, foundOnly: foundOnly, kind: kind)
    }

    func find(
        _ prefix: String,
        limit: Int,
        foundOnly: Bool = false,
        kind: Suggestion.Kind? = nil
    ) async throws(SearchError) -> [Suggestion] {
        while true {
            if let found = known(for: prefix, limit: limit, foundOnly: foundOnly, kind: kind) { return found }
            if let error = await (reading ?? read()).value { throw error }
        }
    }

    private func read() -> Task<SearchError?, Never> {
        let task = Task(executorPreference: loop) { [self] () -> SearchError? in
            await history.flush()
            missed = []
            let drops = drops
            defer { (reading, missed) = (nil, nil) }
            do throws(SearchError) {
                var read = try await store.suggestions(data.historySettings)
                for change in missed ?? [] { read.apply(change) }
                guard drops == self.drops else { return nil }
                index = read
                usedAt = loop.now
                dropWhenIdle()
                data.limitSuggestions(keeping: self)
                return nil
            } catch {
                return error
            }
        }
        reading = task
        return task
    }

    func apply(_ changes: [SuggestionIndex.Change]) {
        missed?.append(contentsOf: changes)
        guard index != nil else { return }
        for change in changes { index?.apply(change) }
        if index?.isFull == true { drop() }
    }

    func apply(_ change: LibraryChange) {
        guard isLoadedOrLoading else { return }
        let items = change.inserted + change.updated
        guard items.count + change.deleted.count <= Self.itemsAppliedMax else { return drop() }
        if !change.deleted.isEmpty { renewAt = renewAt ?? loop.now.advanced(by: Self.staleMax) }
        apply(change.deletedTitles.map { .removed(title: $0) })
        for (items, isNew) in [(change.inserted, true), (change.updated, false)] {
            apply(
                items.map { .title(Suggestion(title: $0.hit.title, .saved, at: $0.savedAt * 1000), isNewItem: isNew) }
            )
        }
    }

    func drop() {
        (index, renewAt) = (nil, nil)
        drops += 1
        if let timer { loop.cancel(timer) }
        timer = nil
    }

    private func dropWhenIdle() {
        timer = loop.schedule(at: usedAt.advanced(by: Self.idleMax)) { [self] in
            timer = nil
            if usedAt.duration(to: loop.now) >= Self.idleMax { drop() } else { dropWhenIdle() }
        }
    }
}
