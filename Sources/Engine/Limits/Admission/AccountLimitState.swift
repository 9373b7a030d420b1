import EventLoop
import SearchModel

/// An account: what its sources share, and the sources.
struct AccountLimitState: Sendable {
    var gate: Gate
    /// How many calls of all its sources may be under way at once.
    var slots: Int
    var sources = InPlaceDictionary<SourceName, SourceLimitState>()

    /// How many of all its sources come before a newcomer of a priority.
    func countAhead(of priority: Priority) -> Int {
        sources.values.reduce(0) { $0 + $1.countAhead(of: priority) }
    }

    /// Of the sources not left out, the one whose first waiter is the most urgent, and then the longest here.
    func next(without blocked: Set<SourceName>) -> (source: SourceName, waiter: WaiterID)? {
        var best: (source: SourceName, waiter: WaiterID, priority: Priority)?
        for line in sources.values {
            guard let first = line.first, !blocked.contains(line.name) else { continue }
            if let best, best.priority > first.priority { continue }
            if let best, best.priority == first.priority, best.waiter < first.waiter { continue }
            best = (line.name, first.waiter, first.priority)
        }
        return best.map { ($0.source, $0.waiter) }
    }

    /// The request of a call goes out, which has these places here and at its source.
    mutating func sent(_ place: Gate.Place, _ sourcePlace: Gate.Place, of source: SourceName) {
        gate.sent(place)
        sources[source]?.sent(sourcePlace)
    }
}
