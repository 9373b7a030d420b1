import Engine
import EventLoop
import Personal
import SearchModel

/// One user's searches on their way into the history: those that do not count yet, and those that are not written yet.
///
/// The path of a search ends here, in memory: what counts is written by the user's store, all that has come within a
/// second in one commit. So at most the last two seconds are lost with the process.
///
/// `@unchecked Sendable` so that tasks may hold it: confined to the loop.
final class UserHistory: @unchecked Sendable {
    /// Between two writings.
    private static let pause = Duration.seconds(1)

    private let store: PersonalStore
    private let settings: () -> HistorySettings
    private let loop: EventLoop
    private let wallClock: @Sendable () -> Int64
    private var standing = StandingSearches()
    private var counted: [HistorySearch] = []
    private var timer: Timer?
    private var writing: Task<Void, Never>?
    private var writesAt = Instant(nanoseconds: .min)

    init(
        _ store: PersonalStore,
        on loop: EventLoop,
        settings: @escaping () -> HistorySettings,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.store = store
        self.loop = loop
        self.settings = settings
        self.wallClock = wallClock
    }

    /// Whether something would be lost if it were dropped.
    var isInUse: Bool { !standing.isEmpty || !counted.isEmpty || writing != nil }

    /// How many searches were dropped before they counted.
    var dropped: UInt64 { standing.dropped }

    // MARK: Searches

    /// A search has come; until when it stands, or nil when it is not recorded.
    @discardableResult
    func searched(
        _ query: SearchQuery,
        _ sources: [SourceName],
        from origin: StandingSearches.Origin
    ) -> Instant? {
        guard settings().isEnabled else { return nil }
        let now = loop.now
        take(standing.takeStood(at: now))
        let search = HistorySearch(query: query, at: wallClock() * 1000, sources: sources)
        let until = standing.note(search, from: origin, at: now)
        writeLater()
        return until
    }

    /// An item was looked up or saved on a connection: its latest search counts.
    func followed(on connection: UInt64) {
        take(standing.takeFollowed(on: connection).map { [$0] } ?? [])
        writeLater()
    }

    /// The next page of a query was asked for.
    func followed(_ query: SearchQuery) {
        take(standing.takeFollowed(query).map { [$0] } ?? [])
        writeLater()
    }

    private func take(_ searches: [HistorySearch]) {
        counted += searches
        // A file that can't be written holds up no memory.
        if counted.count > StandingSearches.countMax { counted.removeFirst(counted.count - StandingSearches.countMax) }
    }

    // MARK: Writing

    private func writeLater() {
        guard timer == nil, writing == nil, let due = counted.isEmpty ? standing.nextDue : loop.now else { return }
        timer = loop.schedule(at: max(due, writesAt)) { [self] in
            timer = nil
            take(standing.takeStood(at: loop.now))
            if counted.isEmpty { writeLater() } else { write() }
        }
    }

    private func write() {
        let searches = counted
        counted = []
        writesAt = loop.now.advanced(by: Self.pause)
        writing = Task(executorPreference: loop) { [self, settings = settings()] in
            // What can't be written is lost; who asks for the history is told why.
            try? await store.record(searches, settings)
            writing = nil
            writeLater()
        }
    }

    /// Writes all that counts.
    func flush() async {
        take(standing.takeStood(at: loop.now))
        while true {
            if let writing { await writing.value } else if !counted.isEmpty { write() } else { return }
        }
    }

    // MARK: The user's own view

    func entries(_ query: HistoryQuery) async throws(SearchError) -> [HistoryEntry] {
        await flush()
        return try await store.entries(query, settings())
    }

    /// Removes what is selected; how many entries that were.
    func clear(_ selection: HistorySelection) async throws(SearchError) -> Int {
        standing.drop(selection)
        await flush()
        return try await store.erase(selection)
    }

    /// What does not count yet is dropped, the rest is written.
    func close() async {
        await Task(executorPreference: loop) { [self] in
            await flush()
            standing.drop(.all)
            if let timer { loop.cancel(timer) }
            timer = nil
        }.value
    }
}
