import Engine
import EventLoop
import Personal
import SearchModel

/// One user's store, saved ids and feeds; used only on the loop, so `@unchecked` is safe.
final class UserData: @unchecked Sendable {
    /// If the store cannot be read, searches ignore the store for this long.
    static let retryAfter = Duration.seconds(10)

    private enum Saved {
        case unknown
        case loading(Task<Void, Never>)
        case known(SavedIDs)
        case unreadable(until: Instant, SearchError)
    }

    let store: PersonalStore
    let history: UserHistory
    let suggestions: UserSuggestions
    private let loop: EventLoop
    private let followers: Locked<Int>
    private let refresh: LibraryRefresh
    private var saved = Saved.unknown
    private var feeds: [ObjectIdentifier: LibraryFeed] = [:]
    private var usesInFlight = 0
    private(set) var savedRevision: UInt64 = 0

    init(
        _ store: PersonalStore,
        _ history: UserHistory,
        _ suggestions: UserSuggestions,
        followers: Locked<Int>,
        refresh: LibraryRefresh,
        on loop: EventLoop
    ) {
        self.store = store
        self.history = history
        self.suggestions = suggestions
        self.followers = followers
        self.refresh = refresh
        self.loop = loop
    }

    var isLoaded: Bool {
        switch saved {
        case .unknown, .loading: false
        case .known: true
        case .unreadable(let until, _): loop.now < until
        }
    }

    var hasSaved: Bool { if case .known(let ids) = saved { !ids.isEmpty } else { false } }

    func isSaved(_ id: String) -> Bool { if case .known(let ids) = saved { ids.contains(id) } else { false } }

    func load() async {
        guard !isLoaded else { return }
        if case .loading(let task) = saved { return await task.value }
        let task = Task(executorPreference: loop) { [self] in
            do throws(SearchError) {
                saved = .known(try await store.savedIDs())
            } catch {
                saved = .unreadable(until: loop.now.advanced(by: Self.retryAfter), error)
            }
        }
        saved = .loading(task)
        await task.value
    }

    /// Called before the client gets the answer to its change.
    func changed(_ change: LibraryChange, _ notice: LibraryNotice) {
        loop.checkIsolated()
        if case .known(var ids) = saved, !change.inserted.isEmpty || !change.deleted.isEmpty {
            // Without a second reference, Swift changes the set in place.
            saved = .unknown
            ids.apply(change)
            saved = .known(ids)
            savedRevision += 1
        }
        suggestions.apply(change)
        for feed in feeds.values { feed.add(notice) }
    }

    func figures() async -> PersonalFigures {
        await load()
        let condition = await store.condition()
        var figures = PersonalFigures(failure: condition.failure, condition: condition)
        if case .unreadable(_, let error) = saved { figures.failure = error }
        return figures
    }

    /// Drops the data in memory; called after a backup copy has replaced the file.
    func renewed() {
        suggestions.drop()
        if case .known = saved {
            saved = .unknown
            savedRevision += 1
        }
        Task(executorPreference: loop) { [self] in
            guard let revision = try? await store.revision() else { return }
            for feed in feeds.values { feed.reset(to: revision) }
        }
    }

    func queueRefreshes(_ ids: [String]?) async throws(SearchError) -> LibraryOutcome {
        try await use { store throws(SearchError) in
            let sources = refresh.sources
            let outcome = try await store.perform(.queueRefreshes(ids: ids, of: sources))
            await refresh.resume()
            return outcome
        }
    }

    var isRefreshing: Bool { refresh.isRunning }

    func endRefreshing() { refresh.end() }

    func follow() -> LibraryFeed {
        let feed = LibraryFeed(of: self, on: loop)
        feeds[ObjectIdentifier(feed)] = feed
        followers.withLock { $0 += 1 }
        return feed
    }

    func unfollow(_ feed: LibraryFeed) {
        guard feeds.removeValue(forKey: ObjectIdentifier(feed)) != nil else { return }
        followers.withLock { $0 -= 1 }
    }

    var isInUse: Bool {
        if case .loading = saved { return true }
        return usesInFlight > 0 || !feeds.isEmpty || history.isInUse || isRefreshing
    }

    func use<Value>(
        _ body: (PersonalStore) async throws(SearchError) -> Value
    ) async throws(SearchError) -> Value {
        usesInFlight += 1
        defer { usesInFlight -= 1 }
        return try await body(store)
    }

    func end() {
        suggestions.drop()
        endRefreshing()
        let store = store
        Task(executorPreference: loop) { await store.close() }
    }

    func close() async {
        suggestions.drop()
        await history.close()
        await store.close()
    }
}
