import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

/// The sources of one account, with their limits, in virtual time.
struct LimitedWorld: Sendable {
    /// 2024-03-09T00:00:00Z.
    static let wall: Int64 = 1_709_942_400

    static func wall(on loop: EventLoop) -> Int64 { wall + loop.now.nanoseconds / 1_000_000_000 }

    let loop: EventLoop
    let store: ScriptedQuotaStore
    let limiter: RateLimiter
    let fetcher: ScriptedFetcher
    let throttle: RequestThrottle
    let limited: UpstreamFetcher

    /// `store` may contain earlier charges.
    ///
    /// `script` returns the responses.
    init(
        on loop: EventLoop,
        account: String = "",
        sources: [String: String] = ["a.one": ""],
        store: ScriptedQuotaStore? = nil,
        script: @escaping @Sendable (PageKey, _ call: Int) -> ScriptedFetcher.Answer = { _, _ in
            .page(page("a.one", [1]))
        },
        changed: @escaping @Sendable (StateChange) -> Void = { _ in }
    ) async throws {
        self.loop = loop
        self.store = store ?? ScriptedQuotaStore(on: loop)
        limiter = RateLimiter(
            on: loop,
            store: self.store,
            wallClock: { Self.wall(on: loop) },
            random: SeededGenerator(seed: 1),
            changed: changed
        )
        fetcher = ScriptedFetcher(on: loop, script: script)
        throttle = RequestThrottle(
            on: loop,
            slots: { [limiter] source in limiter.onLoop { $0.slots(of: source) } },
            rateDelay: { [limiter] source, others in limiter.onLoop { $0.delay(source, behind: others) } }
        )
        limited = UpstreamFetcher(on: loop, throttle: throttle, limiter: limiter, http: fetcher)
        await limiter.configure(try Self.sources(account, sources))
    }

    static func sources(_ account: String, _ sources: [String: String]) throws -> [UpstreamSource] {
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
            UpstreamSource(source: try catalogue.source(named: sourceName($0)), access: AccountAccess())
        }
    }

    func demand(
        _ priority: Priority = .interactive,
        within patience: Duration = .seconds(10),
        for user: UInt32 = 1000
    ) -> CallDemand {
        let client = ClientIdentity(userID: user, program: "test")
        let caller = CallDemand.Caller(client: client, priority: priority)
        return CallDemand(for: caller, until: loop.now.advanced(by: patience))
    }

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

    func start(
        _ source: String = "a.one",
        _ demand: CallDemand? = nil,
        report: @escaping CallReport = { _ in }
    ) async -> Result<RateLimiter.StartedCall, SearchError> {
        let (name, demand) = (sourceName(source), demand ?? self.demand())
        do throws(SearchError) {
            return .success(try await limiter.start(name, for: demand, report: report))
        } catch {
            return .failure(error)
        }
    }

    func end(_ call: RateLimiter.StartedCall, _ error: SearchError? = nil, wasSent: Bool = true) async {
        var backoff = Backoff()
        let sentAt = wasSent ? loop.now : nil
        let outcome: Result<Page, SearchError> = error.map { .failure($0) } ?? .success(Page(isEnd: true))
        _ = await limiter.ended(call, outcome, sentAt: sentAt, &backoff, deadline: demand().deadline) { _ in }
    }

    func quota(_ source: String = "a.one") async -> QuotaFigures? {
        await limiter.standings()[sourceName(source)]?.quotas.first
    }

    func sleep(_ duration: Duration) async throws {
        try await loop.sleep(until: loop.now.advanced(by: duration))
    }

    func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        Task(executorPreference: loop) { await body() }
    }
}

/// A quota store in memory that a test can slow down or make fail.
final class ScriptedQuotaStore: QuotaStore {
    static let full = SearchError(.unavailable, "the quota ledger can't be used: disk full", hint: "Make room.")

    private let loop: EventLoop
    private let memory: SQLiteQuotaStore
    private let settings = Locked((delay: Duration.zero, isFull: false))

    init(on loop: EventLoop) {
        self.loop = loop
        memory = SQLiteQuotaStore(nil, on: loop, wallClock: { LimitedWorld.wall(on: loop) })
    }

    func set(delay: Duration = .zero, isFull: Bool = false) {
        settings.withLock { $0 = (delay, isFull) }
    }

    private func wait() async throws(SearchError) {
        let (delay, isFull) = settings.withLock { $0 }
        if delay > .zero { try? await loop.sleep(until: loop.now.advanced(by: delay)) }
        if isFull { throw Self.full }
    }

    func charge(_ quotas: [CountedQuota], for user: UInt32) async throws(SearchError) -> QuotaCharge {
        try await wait()
        return try await memory.charge(quotas, for: user)
    }

    func correct(_ charge: QuotaCharge, by amounts: [Int]) { memory.correct(charge, by: amounts) }

    func usage(_ quotas: [CountedQuota]) async throws(SearchError) -> QuotaOverview {
        try await wait()
        return try await memory.usage(quotas)
    }

    func set(_ quota: CountedQuota, used: Int, isMinimum: Bool) async throws(SearchError) -> QuotaUsage {
        try await wait()
        return try await memory.set(quota, used: used, isMinimum: isMinimum)
    }
}
