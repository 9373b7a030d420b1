import EventLoop
import SearchModel

/// An account: what its sources share, and the sources.
struct AccountLimitState: Sendable {
    var gate: Gate
    /// How many calls of all its sources may be under way at once.
    var slots: Int
    var sources: [SourceName: SourceLimitState] = [:]

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
}

/// One source before its limits: its state, and its waiters.
struct SourceLimitState: Sendable {
    /// How many callers may wait for one source.
    static let waitersMax = 1024

    let name: SourceName
    var gate: Gate
    var breaker = Breaker()
    var concurrency: AdaptiveConcurrency
    var budget = RetryBudget()
    /// All quotas that a call to it uses.
    var quotas: [QuotaKey] = []
    /// Whether some quota is its own, so that one that is used up may not be the account's.
    var hasOwnQuota = false
    var pace = CallPace()
    /// By priority, each in the order in which they came.
    private var lines: [Priority: [WaiterID]] = [:]

    /// A source within a gate that may get so many calls at once.
    init(name: SourceName, gate: Gate, bounds: ClosedRange<Int>) {
        self.name = name
        self.gate = gate
        concurrency = AdaptiveConcurrency(bounds: bounds)
    }

    var waiterCount: Int { lines.values.reduce(0) { $0 + $1.count } }

    /// Its waiters, the most urgent first.
    var waiting: [WaiterID] { [Priority.interactive, .background].flatMap { lines[$0] ?? [] } }

    /// The next waiter, the most urgent first.
    var first: (priority: Priority, waiter: WaiterID)? {
        for priority in [Priority.interactive, .background] {
            if let waiter = lines[priority]?.first { return (priority, waiter) }
        }
        return nil
    }

    /// How many come before a newcomer of a priority.
    func countAhead(of priority: Priority) -> Int {
        lines.reduce(0) { $0 + ($1.key >= priority ? $1.value.count : 0) }
    }

    mutating func append(_ waiter: WaiterID, _ priority: Priority) {
        lines[priority, default: []].append(waiter)
    }

    /// - Complexity: O(n) in the waiters.
    mutating func remove(_ waiter: WaiterID, _ priority: Priority) {
        lines[priority]?.removeAll { $0 == waiter }
    }

    /// A call is admitted; its permit, and whether it is to find out if the source answers again.
    mutating func enter(at now: Instant) -> (permit: Gate.Permit, isProbe: Bool) {
        (gate.enter(at: now), breaker.passed(at: now))
    }

    /// The request of a call that has this permit goes out.
    mutating func sent(_ permit: Gate.Permit) {
        budget.called()
        gate.sent(permit)
    }
}

/// Names a caller that waits for a source; never used again.
struct WaiterID: Hashable, Comparable, Sendable {
    let number: UInt64

    static func < (left: WaiterID, right: WaiterID) -> Bool { left.number < right.number }
}
