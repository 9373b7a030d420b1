import Client
import EventLoop
import JSON
import RPC
import SearchModel

/// Gets the moments over one connection, and reconnects when the daemon was restarted.
struct TopFeed: ~Copyable {
    private let connector: Connector
    private var exchange: DaemonConnection
    private var lastID = 0
    /// Our own requests that the daemon has counted, up to the last moment.
    private var ownRequests = 0
    private var uptime = 0.0

    init(_ connector: Connector) throws(ClientError) {
        self.connector = connector
        exchange = try connector.connect()
    }

    mutating func next(_ clock: LocalClock) throws(ClientError) -> TopMoment {
        do throws(ClientError) {
            return try ask(clock)
        } catch  where error.code == .connectionLost || error.code == .init(.shuttingDown) {
            // The daemon may have been restarted: the new one is used.
            exchange = try connector.connect()
            return try ask(clock)
        }
    }

    private mutating func ask(_ clock: LocalClock) throws(ClientError) -> TopMoment {
        let snapshot = try DaemonSnapshot(of: &exchange, clock: clock, firstID: lastID + 1)
        let count = DaemonSnapshot.methods.count
        lastID += count
        // A new daemon counts from zero.
        if snapshot.uptime < uptime { ownRequests = 0 }
        uptime = snapshot.uptime
        // Its figures count the requests up to that for them.
        let own = ownRequests + DaemonSnapshot.methods.prefix { $0 != .stats }.count + 1
        ownRequests += count
        return TopMoment(snapshot, at: Double(Instant.now.nanoseconds) / 1e9, ownRequests: own)
    }
}

/// The daemon at one moment, with the counts whose growth `top` shows; pure.
struct TopMoment {
    /// The calls to one source since the daemon's start.
    struct Upstream: Equatable {
        var calls = 0
        var answered = 0
        /// Of all answered calls together, in milliseconds.
        var latency = 0.0
    }

    let snapshot: DaemonSnapshot
    /// Seconds on a clock that only goes forward.
    let at: Double
    /// Without those of `top` itself.
    let requests: Int
    /// Answers of sources, and how many of them came from the cache.
    let uses: Int
    let hits: Int
    let upstream: [String: Upstream]

    init(_ snapshot: DaemonSnapshot, at: Double, ownRequests: Int = 0) {
        (self.snapshot, self.at) = (snapshot, at)
        let stats = snapshot.stats
        let counted = (stats?[.requests]?.members ?? []).filter {
            ![Member.notifications, .refused].map(\.description).contains($0.name)
        }
        requests = counted.compactMap { $0.value.int }.reduce(0, +) - ownRequests
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

    var working: Int { snapshot.stats?[.connections]?[.inFlight]?.int ?? 0 }
    var flights: Int { snapshot.stats?[.flights]?[.calls]?.int ?? 0 }
    var waiters: Int { snapshot.stats?[.flights]?[.waiters]?.int ?? 0 }
    var memory: Int { snapshot.stats?[.memory]?[.resident]?.int ?? 0 }

    /// Without `top` itself.
    var clientCount: Int {
        let connections = snapshot.stats?[.connections]
        return max(0, (connections?[.clients]?.int ?? connections?[.open]?.int ?? 1) - 1)
    }
}

/// The moments up to now, as far as `top` needs them; pure.
struct TopHistory {
    /// Wider than any terminal that people use.
    static let ratesMax = 500
    /// How far back the mean latency goes.
    static let latencySeconds = 60.0

    private(set) var current: TopMoment
    /// Requests a second, the newest last.
    private(set) var rates: [Double] = []
    private var previous: TopMoment?
    /// The calls to each source up to the moments of the last minute, the oldest first.
    private var recent: [(at: Double, upstream: [String: TopMoment.Upstream])]

    init(_ first: TopMoment) {
        current = first
        recent = [(first.at, first.upstream)]
    }

    mutating func add(_ next: TopMoment) {
        // A daemon that was restarted counts from zero.
        if next.snapshot.uptime < current.snapshot.uptime { recent = [(current.at, [:])] }
        (previous, current) = (current, next)
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
        recent = recent.filter { $0.at >= next.at - Self.latencySeconds } + [(next.at, next.upstream)]
    }

    /// How much a count grows a second.
    func rate(_ count: (TopMoment) -> Int) -> Double {
        guard let previous, current.at > previous.at else { return 0 }
        return Double(growth(count)) / (current.at - previous.at)
    }

    /// By how much a count has grown between the last two moments.
    func growth(_ count: (TopMoment) -> Int) -> Int {
        let before = previous.map { $0.snapshot.uptime <= current.snapshot.uptime ? count($0) : 0 } ?? 0
        return max(0, count(current) - before)
    }

    /// The mean of the calls of the last minute in milliseconds; nil without any.
    func latency(of source: String) -> Double? {
        guard let now = current.upstream[source], let oldest = recent.first else { return nil }
        let before = oldest.upstream[source] ?? TopMoment.Upstream()
        guard now.answered > before.answered else { return nil }
        return max(0, now.latency - before.latency) / Double(now.answered - before.answered)
    }
}
