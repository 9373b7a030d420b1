import Catalogue
import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Engine

/// Sources of one account before their limits, on a virtual loop.
struct LimitedWorld: Sendable {
    /// 2024-03-09T00:00:00Z, the wall clock's time at the beginning.
    static let wall: Int64 = 1_709_942_400

    let loop: EventLoop
    let store: ScriptedQuotaStore
    let limiter: RateLimiter
    let fetcher: ScriptedFetcher
    let limited: LimitedFetcher

    /// - Parameters:
    ///   - loop: Where all of it lives.
    ///   - account: What the account's file says of limits and quotas.
    ///   - sources: What the sources' files say.
    ///   - store: A ledger that others have written into; else an empty one.
    ///   - script: What the sources answer.
    /// - Throws: When a file is wrong.
    init(
        on loop: EventLoop,
        account: String = "",
        sources: [String: String] = ["a.one": ""],
        store: ScriptedQuotaStore? = nil,
        script: @escaping @Sendable (PageKey, _ call: Int) -> ScriptedFetcher.Answer = { _, _ in
            .page(page("a.one", [1]))
        }
    ) async throws {
        self.loop = loop
        self.store = store ?? ScriptedQuotaStore(on: loop)
        limiter = RateLimiter(
            on: loop,
            store: self.store,
            quotaTime: {
                let seconds = loop.now.nanoseconds / 1_000_000_000
                return QuotaTime(steady: seconds, wall: Self.wall + seconds)
            },
            random: SeededGenerator(seed: 1)
        )
        fetcher = ScriptedFetcher(on: loop, script: script)
        limited = LimitedFetcher(on: loop, limiter: limiter, fetcher: fetcher)
        await limiter.configure(try Self.sources(account, sources))
    }

    static func sources(_ account: String, _ sources: [String: String]) throws -> [ConfiguredSource] {
        var catalogue = Catalogue()
        let shared = "{ account: \"a\", access: { base: \"https://a.example.com\" }, \(account) }"
        try catalogue.add(file: "a", bytes: Array(shared.utf8), trust: .builtIn)
        for (name, own) in sources {
            let text = """
                {
                    source: "\(name)", kind: "blog", title: "\(name)",
                    request: { path: "/s", parameters: { q: "{query}" } },
                    paging: { style: "single", size: 10 },
                    response: { hits: "hits" },
                    hit: { key: "id", title: "title" },
                    \(own)
                }
                """
            try catalogue.add(file: name, bytes: Array(text.utf8), trust: .builtIn)
        }
        return try sources.keys.sorted().map {
            ConfiguredSource(source: try catalogue.source(named: sourceName($0)), access: AccountAccess())
        }
    }

    /// A demand of one caller, which waits so long at most.
    func demand(
        _ priority: Priority = .interactive,
        within patience: Duration? = .seconds(10)
    ) -> CallDemand {
        let caller = CallDemand.Caller(priority: priority)
        let demand = CallDemand(for: caller)
        demand.join(caller, until: patience.map { loop.now.advanced(by: $0) })
        return demand
    }

    /// Fetches a page, within the limits.
    func fetch(
        _ source: String = "a.one",
        page: Int = 0,
        _ demand: CallDemand? = nil,
        report: @escaping CallReport = { _ in }
    ) async -> Result<Page, SearchError> {
        do throws(SearchError) {
            let key = pageKey(source, page: page)
            return .success(try await limited.fetch(key, for: demand ?? self.demand(), report: report))
        } catch {
            return .failure(error)
        }
    }

    /// Asks to be admitted.
    func admit(
        _ source: String = "a.one",
        _ demand: CallDemand? = nil,
        report: @escaping CallReport = { _ in }
    ) async -> Result<RateLimiter.Admission, SearchError> {
        do throws(SearchError) {
            let name = sourceName(source)
            return .success(try await limiter.admit(name, for: demand ?? self.demand(), report: report))
        } catch {
            return .failure(error)
        }
    }

    /// Ends a call that was sent, or not.
    func end(_ admission: RateLimiter.Admission, _ error: SearchError? = nil, wasSent: Bool = true) async {
        if wasSent { await limiter.sent(admission) }
        var backoff = Backoff()
        _ = await limiter.ended(admission, error, &backoff, for: demand()) { _ in }
    }

    func sleep(_ duration: Duration) async throws {
        try await loop.sleep(until: loop.now.advanced(by: duration))
    }

    /// A task on the loop.
    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: loop) { await body() }
    }
}

/// A ledger in memory that takes its time, and can be made to fail.
final class ScriptedQuotaStore: QuotaStore {
    struct Full: Error {}

    private let loop: EventLoop
    private let memory: MemoryQuotaStore
    /// What was asked for and granted, each time.
    let leases = Locked<[[QuotaWant]]>([])
    private let settings = Locked((delay: Duration.zero, isFull: false))

    init(on loop: EventLoop) {
        self.loop = loop
        memory = MemoryQuotaStore(on: loop)
    }

    func set(delay: Duration = .zero, isFull: Bool = false) {
        settings.withLock { $0 = (delay, isFull) }
    }

    func lease(_ wants: [QuotaWant], at time: QuotaTime) async throws -> [QuotaGrant] {
        let (delay, isFull) = settings.withLock { $0 }
        if delay > .zero { try await loop.sleep(until: loop.now.advanced(by: delay)) }
        if isFull { throw Full() }
        leases.withLock { $0.append(wants) }
        return await memory.lease(wants, at: time)
    }

    func giveBack(_ returns: [QuotaReturn]) async {
        await memory.giveBack(returns)
    }
}

extension Result {
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
