import JSON
import RPC
import SearchModel

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
