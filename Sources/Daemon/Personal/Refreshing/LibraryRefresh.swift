import EventLoop
import Personal
import SearchModel

/// Looks the queued items of one user's library up again, as their sources have calls to spare.
///
/// The queue is in the user's file: the next daemon continues it after the user's next request. Confined to the
/// loop; `@unchecked Sendable` so that its tasks may hold it.
final class LibraryRefresh: @unchecked Sendable {
    private let userID: UInt32
    private let store: PersonalStore
    private let refresher: ItemRefresher
    private let loop: EventLoop
    private var plan = RefreshPlan()
    private var tasks: [SourceName: Task<Void, Never>] = [:]
    /// The number of the last item of each source that was tried.
    private var latest: [SourceName: Int64] = [:]
    private var timer: Timer?
    private var hasEnded = false

    init(of userID: UInt32, _ store: PersonalStore, _ refresher: ItemRefresher, on loop: EventLoop) {
        self.userID = userID
        self.store = store
        self.refresher = refresher
        self.loop = loop
    }

    /// Whether an item is being looked up.
    var isRunning: Bool { plan.isRunning }

    /// Those whose items can be looked up.
    var sources: Set<SourceName> { refresher.sources }

    /// Continues with the queue.
    func resume() async {
        guard let sources = try? await store.refreshSources() else { return }
        plan.queued(sources, at: loop.now)
        advance()
    }

    /// Stops; the queue stays in the file.
    func end() {
        hasEnded = true
        for task in tasks.values { task.cancel() }
        if let timer = timer.take() { loop.cancel(timer) }
    }

    private func advance() {
        loop.checkIsolated()
        guard !hasEnded else { return }
        for source in plan.due(at: loop.now, spareWait: { refresher.spareWait($0, for: userID) }) {
            tasks[source] = Task(executorPreference: loop) { [self] in
                let outcome = await lookUpNext(of: source)
                tasks[source] = nil
                plan.ended(source, outcome, at: loop.now)
                advance()
            }
        }
        if let timer = timer.take() { loop.cancel(timer) }
        timer = plan.wakeAt.map { instant in loop.schedule(at: instant) { [weak self] in self?.advance() } }
    }

    private func lookUpNext(of source: SourceName) async -> RefreshPlan.Outcome {
        do throws(SearchError) {
            let next = try await store.nextRefresh(of: source, after: latest[source] ?? 0)
            guard let next else { return .empty }
            // An item that always fails must not block the others.
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
            // It was removed meanwhile, or has no room for the new values.
            guard [.notFound, .invalidParams].contains(error.kind) else { throw error }
            _ = try await store.perform(.endRefresh(id: hit.id))
        }
    }
}
