/// What `top` remembers of the snapshots it has seen; pure.
struct TopHistory {
    /// An error of a source, seen between two snapshots.
    struct Trouble: Equatable {
        /// Seconds, as the snapshot that shows it.
        let at: Double
        let source: String
        let kind: String
        let count: Int
    }

    /// Wider than any terminal that somebody reads.
    static let ratesMax = 500
    static let troublesMax = 50

    private(set) var previous: TopSnapshot?
    private(set) var current: TopSnapshot
    /// Requests a second, the newest last.
    private(set) var rates: [Double] = []
    /// The newest first.
    private(set) var troubles: [Trouble] = []

    init(_ first: TopSnapshot) {
        current = first
    }

    /// Goes on to the next snapshot.
    mutating func add(_ next: TopSnapshot) {
        previous = current
        current = next
        rates = (rates + [rate(\.requests)]).suffix(Self.ratesMax)
        troubles = Array((newTroubles + troubles).prefix(Self.troublesMax))
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

    private var newTroubles: [Trouble] {
        current.upstream.keys.sorted().flatMap { source in
            (current.upstream[source]?.errors.keys.sorted() ?? []).compactMap { kind in
                let count = grown { $0.upstream[source]?.errors[kind] ?? 0 }
                return count > 0 ? Trouble(at: current.at, source: source, kind: kind, count: count) : nil
            }
        }
    }
}
