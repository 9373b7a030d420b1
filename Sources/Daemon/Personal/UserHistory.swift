import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// One user's searches on their way into the history: those that do not count yet, and those that are not written yet.
///
/// The path of a search ends here, in memory: what counts is written by the user's store, all that has come within a
/// second in one commit. So at most the last two seconds are lost with the process.
///
/// `@unchecked Sendable` so that tasks may hold it: confined to the loop.
final class UserHistory: @unchecked Sendable {
    /// Between two writings.
    private static let pause = Duration.seconds(1)
    /// So many bytes of hits wait to be written; hits beyond are left out until they are brought again.
    static let broughtBytesMax = 2 << 20
    /// So many are written in one commit: other changes of the library wait for it.
    private static let writtenMax = 256
    private static let knownMax = 16_384
    /// No search takes longer.
    private static let clearedKept = Duration.milliseconds(WireBounds.timeoutMilliseconds.upperBound)
    /// Past so many, all that was under way counts as cleared.
    private static let clearedMax = 64

    private let store: PersonalStore
    private let settings: () -> HistorySettings
    /// Gets each search that counts, and the titles of the hits it brought.
    weak var suggestions: UserSuggestions?
    private let loop: EventLoop
    private let wallClock: @Sendable () -> Int64
    /// Removes pages that only this user was given.
    private let forget: (Set<PageKey>) -> Void
    private var standing = StandingSearches()
    /// What an unfinished query may become.
    private(set) var recent = RecentQueries()
    private var counted: [HistorySearch] = []
    private var brought: [BroughtHits] = []
    private var broughtBytes = 0
    /// Hashes of hits with the searches that brought them, which need not be written again.
    private var known: Set<Int> = []
    private var clearings: UInt64 = 0
    /// What was cleared of late, and when: searches that were under way then leave nothing either.
    private var cleared: [(selection: HistorySelection, at: Instant)] = []
    private var timer: Timer?
    private var writing: Task<Void, Never>?
    private var writesAt = Instant(nanoseconds: .min)

    init(
        _ store: PersonalStore,
        on loop: EventLoop,
        settings: @escaping () -> HistorySettings,
        wallClock: @escaping @Sendable () -> Int64,
        forget: @escaping (Set<PageKey>) -> Void
    ) {
        self.store = store
        self.loop = loop
        self.settings = settings
        self.wallClock = wallClock
        self.forget = forget
    }

    /// Whether something would be lost if it were dropped.
    var isInUse: Bool { !standing.isEmpty || !counted.isEmpty || !brought.isEmpty || writing != nil }

    /// Changes when a search is dropped before it counts, or the history is cleared.
    var edition: UInt64 { standing.dropped &+ clearings }

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

    /// Those that have stood long enough count from now on.
    func countStood() {
        take(standing.takeStood(at: loop.now))
        writeLater()
    }

    private func take(_ searches: [HistorySearch]) {
        counted += searches
        suggestions?.take(searches.map { .searched($0.query.text, at: $0.at) })
        // A file that can't be written holds up no memory.
        if counted.count > StandingSearches.countMax { counted.removeFirst(counted.count - StandingSearches.countMax) }
    }

    /// Hits were shown to the user.
    ///
    /// - Parameters:
    ///   - hits: They.
    ///   - query: What was searched for.
    ///   - begun: When the search came; nil for one that is answered as it comes.
    /// - Complexity: O(n) in the hits, and in the bytes of those that are new.
    func brought(_ hits: [HitPosition], by query: SearchQuery, since begun: Instant? = nil) {
        if let begun, isCleared(query, since: begun) { return forget(Set(hits.map(\.page.key))) }
        guard settings().isEnabled else { return }
        if !hits.isEmpty {
            recent.note(query)
            suggestions?.take([.found(query.text)])
        }
        let (now, wallNow) = (loop.now, wallClock())
        var new: [BroughtHits.Hit] = []
        for hit in hits where hit.source != .library && hit.source != .seen && isNew(hit, query) {
            let size = hit.entry.range.count
            guard broughtBytes + size <= Self.broughtBytesMax else { break }
            let age = hit.page.fetchedAt.duration(to: now).components.seconds
            let bytes = Array(hit.page.bytes[hit.entry.range])
            new.append(BroughtHits.Hit(bytes: bytes, fetchedAt: wallNow - max(0, age)))
            broughtBytes += size
        }
        guard !new.isEmpty else { return }
        brought.append(BroughtHits(HistorySearch(query: query, at: wallNow * 1000, sources: []), hits: new))
        writeLater()
    }

    private func isCleared(_ query: SearchQuery, since begun: Instant) -> Bool {
        let search = HistorySearch(query: query, at: wallClock() * 1000, sources: [])
        return cleared.contains { $0.at > begun && $0.selection.contains(search) }
    }

    private func isNew(_ hit: HitPosition, _ query: SearchQuery) -> Bool {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(ExactText(hit.entry.id))
        hasher.combine(hit.page.fetchedAt)
        if known.count >= Self.knownMax { known = [] }
        return known.insert(hasher.finalize()).inserted
    }

    // MARK: Writing

    private func writeLater() {
        let hasMore = !counted.isEmpty || !brought.isEmpty
        guard timer == nil, writing == nil, let due = hasMore ? loop.now : standing.nextDue else { return }
        timer = loop.schedule(at: max(due, writesAt)) { [self] in
            timer = nil
            take(standing.takeStood(at: loop.now))
            if counted.isEmpty, brought.isEmpty { writeLater() } else { write() }
        }
    }

    private func write() {
        let searches = counted
        counted = []
        var hits: [BroughtHits] = []
        var count = 0
        while let next = brought.first, count < Self.writtenMax {
            hits.append(next)
            count += next.hits.count
            broughtBytes -= next.bytesCount
            brought.removeFirst()
        }
        // What is left follows at once, so that it holds no memory.
        writesAt = brought.isEmpty ? loop.now.advanced(by: Self.pause) : loop.now
        writing = Task(executorPreference: loop) { [self, hits, settings = settings()] in
            // What can't be written is lost; who asks for the history is told why.
            let titles = try? await store.record(
                searches,
                brought: hits,
                settings,
                tellsTitles: suggestions?.isOfUse == true
            )
            suggestions?.take(titles ?? [])
            writing = nil
            writeLater()
        }
    }

    /// Writes all that counts.
    func flush() async {
        take(standing.takeStood(at: loop.now))
        while true {
            if let writing {
                await writing.value
            } else if !counted.isEmpty || !brought.isEmpty {
                write()
            } else {
                return
            }
        }
    }

    // MARK: The user's own view

    func entries(_ query: HistoryQuery) async throws(SearchError) -> [HistoryEntry] {
        await flush()
        return try await store.entries(query, settings())
    }

    /// Removes what is selected.
    func clear(_ selection: HistorySelection) async throws(SearchError) -> ErasedSearches {
        let now = loop.now
        cleared.removeAll { $0.at.advanced(by: Self.clearedKept) < now }
        cleared = cleared.count < Self.clearedMax ? cleared + [(selection, now)] : [(.all, now)]
        standing.drop(selection)
        let unwritten = brought.filter { selection.contains($0.search) }.map(\.search.query.digest)
        brought.removeAll { selection.contains($0.search) }
        broughtBytes = brought.reduce(0) { $0 + $1.bytesCount }
        await flush()
        recent.removeAll()
        var erased = try await store.erase(selection)
        erased.digests.formUnion(unwritten)
        if case .query(let query) = selection { erased.digests.insert(query.digest) }
        // What is brought again is new again.
        known = []
        clearings += 1
        return erased
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
