import Client
import JSON
import RPC
import SearchModel

/// The counters of the daemon at one time.
struct TopMoment {
    struct Upstream: Equatable {
        var calls = 0
        var answered = 0
        /// The sum of the latencies of all answered calls, in milliseconds.
        var latency = 0.0
    }

    /// The counters that `top` omits: its own requests, and messages that are not requests.
    private static let uncounted =
        DaemonSnapshot.methods.map(\.rawValue) + [Member.notifications.description, "invalid"]

    let snapshot: DaemonSnapshot
    /// The monotonic time in seconds.
    let at: Double
    let requests: Int
    let uses: Int
    let hits: Int
    let upstream: [String: Upstream]

    init(_ snapshot: DaemonSnapshot, at: Double) {
        (self.snapshot, self.at) = (snapshot, at)
        let stats = snapshot.stats
        requests = (stats?[.requests]?.members ?? []).filter { !Self.uncounted.contains($0.name) }
            .compactMap { $0.value.int }.reduce(0, +)
        let cache = stats?[.searches]?[.cache]
        uses = (cache?.members ?? []).compactMap { $0.value.int }.reduce(0, +)
        hits = CacheUse.allCases.filter(\.isCached).compactMap { cache?[$0.rawValue]?.int }.reduce(0, +)
        var upstream: [String: Upstream] = [:]
        for (name, value) in stats?[.upstream]?.members ?? [] {
            var source = Upstream()
            for (name, value) in value.members {
                if name == Member.latency.description {
                    source.answered = value[.count]?.int ?? 0
                    source.latency = (value[.mean]?.double ?? 0) * Double(source.answered)
                } else if let count = value.int {
                    source.calls += count
                }
            }
            upstream[VisibleText.visible(name)] = source
        }
        self.upstream = upstream
    }
}

/// The latest two moments, the rates of requests, and the calls of the last minute.
struct TopHistory {
    static let ratesMax = 500
    static let recentSeconds = 60.0

    private(set) var current: TopMoment
    private var previous: TopMoment?
    private(set) var rates: [Double] = []
    private var recent: [(at: Double, upstream: [String: TopMoment.Upstream])]
    private let startedAt: Double

    init(_ first: TopMoment) {
        (current, startedAt) = (first, first.at)
        recent = [(first.at, first.upstream)]
    }

    mutating func add(_ next: TopMoment) {
        if next.snapshot.uptime < current.snapshot.uptime { recent = [(current.at, [:])] }
        (previous, current) = (current, next)
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
        recent = recent.filter { $0.at >= next.at - Self.recentSeconds } + [(next.at, next.upstream)]
    }

    func rate(_ count: (TopMoment) -> Int) -> Double {
        guard let previous, current.at > previous.at else { return 0 }
        return Double(growth(count)) / (current.at - previous.at)
    }

    func growth(_ count: (TopMoment) -> Int) -> Int {
        let before = previous.map { $0.snapshot.uptime <= current.snapshot.uptime ? count($0) : 0 } ?? 0
        return max(0, count(current) - before)
    }

    var isWholeMinute: Bool { current.at - startedAt >= Self.recentSeconds }

    func recentCalls(of source: String) -> Int { (current.upstream[source]?.calls ?? 0) - before(source).calls }

    /// The mean latency of the calls of the last minute, in milliseconds.
    ///
    /// If the last minute has no calls, the mean latency of all calls.
    func latency(of source: String) -> Double? {
        guard let now = current.upstream[source], now.answered > 0 else { return nil }
        let before = before(source)
        guard now.answered > before.answered else { return now.latency / Double(now.answered) }
        return max(0, now.latency - before.latency) / Double(now.answered - before.answered)
    }

    private func before(_ source: String) -> TopMoment.Upstream { recent.first?.upstream[source] ?? .init() }
}
