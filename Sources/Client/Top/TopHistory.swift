/// What `top` remembers of the snapshots it has seen; pure.
struct TopHistory {
    /// Wider than any terminal that people use.
    static let ratesMax = 500

    private(set) var previous: TopSnapshot?
    private(set) var current: TopSnapshot
    /// Requests a second, the newest last.
    private(set) var rates: [Double] = []

    init(_ first: TopSnapshot) {
        current = first
    }

    /// Goes on to the next snapshot.
    mutating func add(_ next: TopSnapshot) {
        previous = current
        current = next
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
    }

    /// How much a count grows a second; a daemon that was restarted meanwhile counts from nothing.
    func rate(_ count: (TopSnapshot) -> Int) -> Double {
        guard let previous, current.at > previous.at else { return 0 }
        return Double(grown(count)) / (current.at - previous.at)
    }

    /// By how much a count has grown between the two snapshots.
    func grown(_ count: (TopSnapshot) -> Int) -> Int {
        let before = previous.map { $0.uptime <= current.uptime ? count($0) : 0 } ?? 0
        return max(0, count(current) - before)
    }

    /// The mean of the calls between the snapshots in milliseconds; else of all since the start; nil without any.
    func latency(of source: String) -> Double? {
        guard let now = current.upstream[source], now.answered > 0 else { return nil }
        let before = previous.flatMap { $0.uptime <= current.uptime ? $0.upstream[source] : nil }
        if let before, now.answered > before.answered {
            return max(0, now.latency - before.latency) / Double(now.answered - before.answered)
        }
        return now.latency / Double(now.answered)
    }
}
