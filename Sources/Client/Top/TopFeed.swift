import EventLoop
import JSON
import RPC
import SearchModel

/// Gets the snapshots over one connection, and reconnects when the daemon was restarted.
struct TopFeed: ~Copyable {
    private static let timeoutSeconds = 5

    private let connector: Connector
    private var exchange: DaemonConnection
    private var lastID = 0
    /// Requests of our own that the daemon has counted, up to the last snapshot.
    private var ownRequests = 0
    private var uptime = 0.0

    init(_ connector: Connector) throws(ClientError) {
        self.connector = connector
        exchange = try connector.connect()
    }

    /// The figures of this moment, given in seconds since 1970.
    mutating func next(now: Int64) throws(ClientError) -> TopSnapshot {
        do throws(ClientError) {
            return try ask(now)
        } catch {
            // The daemon may have been restarted: the new one is used.
            guard error.code == .connectionLost || error.code == .init(.shuttingDown) else { throw error }
            exchange = try connector.connect()
            return try ask(now)
        }
    }

    private mutating func ask(_ now: Int64) throws(ClientError) -> TopSnapshot {
        let deadline = Instant.now.advanced(by: .seconds(Self.timeoutSeconds))
        let snapshot = try DaemonSnapshot(of: &exchange, until: deadline, firstID: lastID + 1)
        lastID += DaemonSnapshot.idCount
        // A new daemon counts from zero.
        let uptime = snapshot.stats[.uptime]?.double ?? 0
        if uptime < self.uptime { ownRequests = 0 }
        self.uptime = uptime
        let own = ownRequests + DaemonSnapshot.countedInStats
        ownRequests += DaemonSnapshot.idCount
        return TopSnapshot(snapshot, at: Double(Instant.now.nanoseconds) / 1e9, now: now, ownRequests: own)
    }
}

/// The figures of one moment that `top` shows; pure.
struct TopSnapshot {
    /// The calls to one source since the daemon's start.
    struct Upstream: Equatable {
        var calls = 0
        /// Of calls that were answered.
        var answered = 0
        /// Of all of these together, in milliseconds.
        var latency = 0.0
    }

    /// Seconds on a clock that only goes forward.
    let at: Double
    let version: String
    let uptime: Double
    /// All but those of `top` itself.
    let requests: Int
    /// Answers of sources, and how many of them came from the cache.
    let uses: Int
    let hits: Int
    let working: Int
    let flights: Int
    let waiters: Int
    let memory: Int
    let health: Health
    let sources: [SourceEntry]
    let upstream: [String: Upstream]
    let quotas: [QuotaEntry]
    /// The busiest first.
    let clients: [ClientEntry]
    /// Without `top` itself.
    let clientCount: Int
    /// The newest first.
    let errors: [ErrorEntry]

    /// - Parameters:
    ///   - snapshot: What the daemon reports.
    ///   - at: Seconds on a clock that only goes forward.
    ///   - now: Seconds since 1970.
    ///   - ownRequests: How many of the requests that the daemon has counted are those of `top`.
    init(_ snapshot: DaemonSnapshot, at: Double, now: Int64, ownRequests: Int = 0) {
        self.at = at
        let stats = snapshot.stats
        version = VisibleText.visible(snapshot.hello[.version]?.string ?? "?")
        uptime = stats[.uptime]?.double ?? 0
        let counted = (stats[.requests]?.members ?? []).filter {
            ![Member.notifications, .refused].map(\.description).contains($0.name)
        }
        requests = counted.compactMap { $0.value.int }.reduce(0, +) - ownRequests
        // Searches that are repeated byte by byte are answered before any source is looked up.
        let repeated = stats[.answers]?[.repeated]?.int ?? 0
        let cache = stats[.searches]?[.cache]
        uses = repeated + (cache?.members ?? []).compactMap { $0.value.int }.reduce(0, +)
        hits = repeated + CacheUse.allCases.filter(\.isCached).compactMap { cache?[$0.rawValue]?.int }.reduce(0, +)
        working = stats[.connections]?[.inFlight]?.int ?? 0
        flights = stats[.flights]?[.calls]?.int ?? 0
        waiters = stats[.flights]?[.waiters]?.int ?? 0
        memory = stats[.memory]?[.resident]?.int ?? 0
        health = Health(of: snapshot)
        sources = snapshot.sources.map(SourceEntry.init).filter(\.isEnabled)
        quotas = QuotaEntry.all(in: snapshot.sources)
        clients = ClientEntry.all(in: stats)
        clientCount = max(0, (stats[.connections]?[.clients]?.int ?? stats[.connections]?[.open]?.int ?? 1) - 1)
        errors = ErrorEntry.all(in: stats, now: now)
        var upstream: [String: Upstream] = [:]
        stats[.upstream]?.forEachMember { name, value in
            upstream[VisibleText.visible(name)] = Self.upstream(value)
        }
        self.upstream = upstream
    }

    private static func upstream(_ value: JSONCursor) -> Upstream {
        var upstream = Upstream()
        value.forEachMember { name, value in
            if name == Member.latency.description {
                upstream.answered = value[.count]?.int ?? 0
                upstream.latency = (value[.mean]?.double ?? 0) * Double(upstream.answered)
            } else if let count = value.int {
                upstream.calls += count
            }
        }
        return upstream
    }
}

/// The history of snapshots that `top` shows; pure.
struct TopHistory {
    /// Wider than any terminal that people use.
    static let ratesMax = 500
    /// How far back the mean latency goes.
    static let latencySeconds = 60.0

    private(set) var previous: TopSnapshot?
    private(set) var current: TopSnapshot
    /// Requests a second, the newest last.
    private(set) var rates: [Double] = []
    /// The calls to each source up to the snapshots of the last minute, the oldest first.
    private var recent: [(at: Double, upstream: [String: TopSnapshot.Upstream])]

    init(_ first: TopSnapshot) {
        current = first
        recent = [(first.at, first.upstream)]
    }

    /// Adds the next snapshot.
    mutating func add(_ next: TopSnapshot) {
        // A daemon that was restarted counts from zero.
        if next.uptime < current.uptime { recent = [(current.at, [:])] }
        previous = current
        current = next
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
        recent = recent.filter { $0.at >= next.at - Self.latencySeconds } + [(next.at, next.upstream)]
    }

    /// How much a count grows a second; a daemon that was restarted counts from zero.
    func rate(_ count: (TopSnapshot) -> Int) -> Double {
        guard let previous, current.at > previous.at else { return 0 }
        return Double(grown(count)) / (current.at - previous.at)
    }

    /// By how much a count has grown between the two snapshots.
    func grown(_ count: (TopSnapshot) -> Int) -> Int {
        let before = previous.map { $0.uptime <= current.uptime ? count($0) : 0 } ?? 0
        return max(0, count(current) - before)
    }

    /// The mean of the calls of the last minute in milliseconds; nil without any.
    func latency(of source: String) -> Double? {
        guard let now = current.upstream[source], let oldest = recent.first else { return nil }
        let before = oldest.upstream[source] ?? TopSnapshot.Upstream()
        guard now.answered > before.answered else { return nil }
        return max(0, now.latency - before.latency) / Double(now.answered - before.answered)
    }
}
