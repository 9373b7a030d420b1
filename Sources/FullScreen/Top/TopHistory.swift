import Client
import JSON
import RPC
import SearchModel

/// The counters of the daemon at one moment.
struct TopMoment {
    /// The calls to one source since the start of the daemon.
    struct Upstream: Equatable {
        var calls = 0
        var answered = 0
        /// The sum over all answered calls, in milliseconds.
        var latency = 0.0
    }

    /// Not counted: the requests of `top` itself, and messages that are not requests.
    private static let uncounted =
        DaemonSnapshot.methods.map(\.rawValue) + [Member.notifications.description, "invalid"]

    let snapshot: DaemonSnapshot
    /// Monotonic time in seconds.
    let at: Double
    /// Since the start of the daemon.
    let requests: Int
    /// Answers of sources, and how many of them came from the cache.
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
        stats?[.upstream]?.forEachMember { name, value in
            var source = Upstream()
            value.forEachMember { name, value in
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

/// The last two moments, the rates of requests, and the calls of the last minute.
struct TopHistory {
    /// Wider than any terminal.
    static let ratesMax = 500
    /// The time over which calls are counted and their latency is averaged.
    static let recentSeconds = 60.0

    private(set) var current: TopMoment
    private var previous: TopMoment?
    /// Requests per second, the newest last.
    private(set) var rates: [Double] = []
    /// The calls to the sources up to the moments of the last minute, the oldest first.
    private var recent: [(at: Double, upstream: [String: TopMoment.Upstream])]

    init(_ first: TopMoment) {
        current = first
        recent = [(first.at, first.upstream)]
    }

    mutating func add(_ next: TopMoment) {
        // The counters of a restarted daemon begin at zero.
        if next.snapshot.uptime < current.snapshot.uptime { recent = [(current.at, [:])] }
        (previous, current) = (current, next)
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
        recent = recent.filter { $0.at >= next.at - Self.recentSeconds } + [(next.at, next.upstream)]
    }

    /// The growth of a counter per second.
    func rate(_ count: (TopMoment) -> Int) -> Double {
        guard let previous, current.at > previous.at else { return 0 }
        return Double(growth(count)) / (current.at - previous.at)
    }

    /// The growth of a counter between the last two moments.
    func growth(_ count: (TopMoment) -> Int) -> Int {
        let before = previous.map { $0.snapshot.uptime <= current.snapshot.uptime ? count($0) : 0 } ?? 0
        return max(0, count(current) - before)
    }

    /// The number of calls in the last minute.
    func recentCalls(of source: String) -> Int { (current.upstream[source]?.calls ?? 0) - before(source).calls }

    /// The mean latency of the calls of the last minute in milliseconds, or else of all calls; nil without calls.
    func latency(of source: String) -> Double? {
        guard let now = current.upstream[source], now.answered > 0 else { return nil }
        let before = before(source)
        guard now.answered > before.answered else { return now.latency / Double(now.answered) }
        return max(0, now.latency - before.latency) / Double(now.answered - before.answered)
    }

    /// The counters of a source a minute ago.
    private func before(_ source: String) -> TopMoment.Upstream { recent.first?.upstream[source] ?? .init() }
}
