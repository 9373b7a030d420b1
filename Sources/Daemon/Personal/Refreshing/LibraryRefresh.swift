import EventLoop
import Personal
import SearchModel

/// Looks up queued items of one user's library again; used only on the loop, so `@unchecked` is safe.
final class LibraryRefresh: @unchecked Sendable {
    private let userID: UInt32
    private let store: PersonalStore
    private let refresher: ItemRefresher
    private let loop: EventLoop
    private var tasks: [SourceName: Task<Void, Never>] = [:]
    private var running: Set<SourceName> = []
    private var queuedAgain: Set<SourceName> = []
    private var latest: [SourceName: Int64] = [:]
    private var hasEnded = false

    init(of userID: UInt32, _ store: PersonalStore, _ refresher: ItemRefresher, on loop: EventLoop) {
        self.userID = userID
        self.store = store
        self.refresher = refresher
        self.loop = loop
    }

    var isRunning: Bool { !running.isEmpty }

    var sources: Set<SourceName> { refresher.sources }

    /// Continues the queue in the user's file at once, even if earlier lookups failed.
    func resume() async {
        guard let sources = try? await store.refreshSources(), !hasEnded else { return }
        for source in sources {
            if running.contains(source) {
                queuedAgain.insert(source)
            } else {
                tasks[source]?.cancel()
                tasks[source] = Task(executorPreference: loop) { [self] in await run(source) }
            }
        }
    }

    func end() {
        hasEnded = true
        for task in tasks.values { task.cancel() }
    }

    private enum Outcome {
        case done
        case refused(retryAfter: Duration?)
        case queueIsEmpty
    }

    static let waitMax = Duration.seconds(600)

    /// Returns 5 s, doubled with each failure, but at least `retryAfter` and at most `waitMax`.
    static func wait(after failures: Int, retryAfter: Duration?) -> Duration {
        min(waitMax, max(retryAfter ?? .zero, .seconds(5) * (1 << min(failures - 1, 10))))
    }

    private func run(_ source: SourceName) async {
        var failures = 0
        while !Task.isCancelled {
            if let wait = refresher.spareWait(source, for: userID) {
                await sleep(min(max(wait, .milliseconds(20)), Self.waitMax))
                continue
            }
            running.insert(source)
            let outcome = await lookUpNext(of: source)
            running.remove(source)
            switch outcome {
            case .done: failures = 0
            case .refused(let retryAfter):
                failures += 1
                await sleep(Self.wait(after: failures, retryAfter: retryAfter))
            case .queueIsEmpty:
                if queuedAgain.remove(source) == nil { return }
            }
        }
    }

    private func sleep(_ duration: Duration) async {
        try? await loop.sleep(until: loop.now.advanced(by: duration))
    }

    private func lookUpNext(of source: SourceName) async -> Outcome {
        do throws(SearchError) {
            let next = try await store.nextRefresh(of: source, after: latest[source] ?? 0)
            guard let next else { return .queueIsEmpty }
            // Each item is tried once before a failed item is tried again.
            latest[source] = next.number
            switch await refresher.lookUp(next.id, for: userID) {
            case .refused(let retryAfter): return .refused(retryAfter: retryAfter)
            case .nothing: _ = try await store.perform(.endRefresh(id: next.id))
            case .record(let hit): try await put(hit)
            }
            return .done
        } catch {
            return .refused(retryAfter: error.retryAfter)
        }
    }

    private func put(_ hit: SavedHit) async throws(SearchError) {
        do throws(SearchError) {
            _ = try await store.perform(.edit(ids: [hit.id], .refresh(hit)))
        } catch {
            // The item was removed meanwhile, or the new values are too large.
            guard [.notFound, .invalidParams].contains(error.kind) else { throw error }
            _ = try await store.perform(.endRefresh(id: hit.id))
        }
    }
}
