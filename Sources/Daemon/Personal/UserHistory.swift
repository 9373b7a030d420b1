import Engine
import EventLoop
import JSON
import Personal
import RPC
import SearchModel
import Upstream

/// One user's searches that are not yet written to the file; used only on the loop, so `@unchecked` is safe.
final class UserHistory: @unchecked Sendable {
    /// A search waits up to this long to be written, so that one commit writes many searches.
    ///
    /// If the process is killed, the waiting searches are lost.
    private static let pause = Duration.seconds(1)
    /// The pause after a commit is this many times as long as the commit, to leave processor time for searches.
    private static let pausePerCommit = 9
    private static let searchesMax = 1024
    static let seenBytesMax = 2 << 20
    /// A commit writes at most about this many hits, because changes of the library wait for the commit.
    private static let writtenMax = 256
    private static let knownMax = 32_768

    private let store: PersonalStore
    private unowned let data: PersonalData
    weak var suggestions: UserSuggestions?
    private let loop: EventLoop
    private let wallClock: @Sendable () -> Int64
    private(set) var recent = RecentQueries()
    private var searches: [HistorySearch] = []
    private var seen: [SeenHits] = []
    private var seenBytes = 0
    /// The queries and sources recorded since the last commit; a repeated search is recorded only once.
    private var recorded: Set<[String]> = []
    /// `FinishedAnswer.number` of each cached answer recorded since the last commit; an answer is recorded only once.
    private var given: Set<UInt64> = []
    /// Each number is a hash of a recorded hit and the query that found the hit.
    private var known: Set<Int> = []
    /// Searches that began before the history was cleared are not recorded.
    private var clearedAt = Instant(nanoseconds: .min)
    private var timer: Timer?
    private var writing: Task<Void, Never>?

    init(
        _ store: PersonalStore,
        of data: PersonalData,
        on loop: EventLoop,
        wallClock: @escaping @Sendable () -> Int64
    ) {
        self.store = store
        self.data = data
        self.loop = loop
        self.wallClock = wallClock
    }

    var isInUse: Bool { !searches.isEmpty || !seen.isEmpty || writing != nil }

    func record(_ request: SearchRequest, _ hits: [HitPosition], since begun: Instant, number: UInt64? = nil) {
        guard data.historySettings.isEnabled, begun >= clearedAt else { return }
        if let number, !given.insert(number).inserted { return }
        let key = [request.query.text] + request.patterns
        if !request.isNextPage, searches.count < Self.searchesMax, recorded.insert(key).inserted {
            let search = HistorySearch(query: request.query, at: wallClock() * 1000, sources: request.patterns)
            searches.append(search)
            suggestions?.apply([.searched(search.query.text, at: search.at)])
        }
        keep(hits, of: request.query)
        writeLater()
    }

    private func keep(_ hits: [HitPosition], of query: SearchQuery) {
        guard !hits.isEmpty else { return }
        recent.note(query)
        suggestions?.apply([.found(query.text)])
        let (now, wallNow) = (loop.now, wallClock())
        var new: [SeenHits.Hit] = []
        for hit in hits where hit.source != .library && hit.source != .seen {
            let size = hit.entry.range.count
            guard seenBytes + size <= Self.seenBytesMax else { break }
            guard isNew(hit, query) else { continue }
            let age = hit.page.fetchedAt.duration(to: now).components.seconds
            let bytes = Array(hit.page.bytes[hit.entry.range])
            new.append((bytes, wallNow - max(0, age)))
            seenBytes += size
        }
        guard !new.isEmpty else { return }
        seen.append(SeenHits(HistorySearch(query: query, at: wallNow * 1000, sources: []), hits: new))
    }

    private func isNew(_ hit: HitPosition, _ query: SearchQuery) -> Bool {
        var hasher = Hasher()
        hasher.combine(query)
        hasher.combine(ExactText(hit.entry.id))
        hasher.combine(hit.page.fetchedAt)
        if known.count >= Self.knownMax { known = [] }
        return known.insert(hasher.finalize()).inserted
    }

    private func writeLater(after pause: Duration = pause) {
        guard timer == nil, writing == nil, !searches.isEmpty || !seen.isEmpty else { return }
        timer = loop.schedule(at: loop.now.advanced(by: pause)) { [self] in
            timer = nil
            if !searches.isEmpty || !seen.isEmpty { write() }
        }
    }

    private func write() {
        let written = searches
        (searches, recorded, given) = ([], [], [])
        var hits: [SeenHits] = []
        var count = 0
        while let next = seen.first, count < Self.writtenMax {
            hits.append(next)
            count += next.hits.count
            seenBytes -= next.bytesCount
            seen.removeFirst()
        }
        let (isMore, begun) = (!seen.isEmpty, loop.now)
        writing = Task(executorPreference: loop) { [self, hits, settings = data.historySettings] in
            // If this fails, the searches are lost, and history/list reports the error.
            let titles = try? await store.record(written, seen: hits, settings)
            suggestions?.apply(titles ?? [])
            writing = nil
            let rest = begun.duration(to: loop.now) * Self.pausePerCommit
            writeLater(after: isMore ? rest : max(rest, Self.pause))
        }
    }

    func flush() async {
        while true {
            if let writing {
                await writing.value
            } else if !searches.isEmpty || !seen.isEmpty {
                write()
            } else {
                return
            }
        }
    }

    func entries(_ query: HistoryQuery) async throws(SearchError) -> [HistoryEntry] {
        await flush()
        return try await store.entries(query, data.historySettings)
    }

    func clear(_ selection: HistorySelection) async throws(SearchError) -> Int {
        clearedAt = loop.now
        seen.removeAll { selection.contains($0.search) }
        seenBytes = seen.reduce(0) { $0 + $1.bytesCount }
        await flush()
        recent.removeAll()
        let count = try await store.erase(selection)
        (known, given) = ([], [])
        return count
    }

    func close() async {
        await Task(executorPreference: loop) { [self] in
            await flush()
            if let timer { loop.cancel(timer) }
            timer = nil
        }.value
    }
}
