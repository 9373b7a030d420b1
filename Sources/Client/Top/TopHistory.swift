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
