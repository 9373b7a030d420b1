/// Which exchanges may run, and who is next: a bound in all, a bound per origin, and turns between origins.
///
/// Pure. An origin that is slow or asked a lot fills its own permits and its own queue; the others pass it by. Within
/// an origin it is first come, first served. Fairness between clients is decided before anything comes here.
///
/// Invariant: running ≤ runningMax; for each origin running ≤ runningPerOriginMax; waiting ≤ waitersMax; and none
/// waits while there is a permit for it.
struct HTTPTransferQueue {
    typealias ID = UInt64

    enum Admission: Equatable {
        case start
        case wait
        case refuse
    }

    struct Limits {
        var runningMax: Int
        var runningPerOriginMax: Int
        var waitersMax: Int
    }

    private struct Line {
        var running = 0
        var waiting: [ID] = []
    }

    private let limits: Limits
    private var lines: [FetchURL.Origin: Line] = [:]
    /// Origins with waiters, the next one first.
    private var turns: [FetchURL.Origin] = []
    private(set) var running = 0
    private(set) var waiting = 0

    init(limits: Limits) {
        self.limits = limits
    }

    mutating func arrived(_ id: ID, for origin: FetchURL.Origin) -> Admission {
        defer { checkInvariants() }
        var line = lines[origin, default: Line()]
        defer { if line.running > 0 || !line.waiting.isEmpty { lines[origin] = line } }
        if running < limits.runningMax && line.running < limits.runningPerOriginMax {
            line.running += 1
            running += 1
            return .start
        }
        guard waiting < limits.waitersMax else { return .refuse }
        if line.waiting.isEmpty { turns.append(origin) }
        line.waiting.append(id)
        waiting += 1
        return .wait
    }

    /// A running exchange has ended; the one that starts now, if any.
    ///
    /// - Complexity: O(n) in the origins with waiters, and in the waiters of the origin chosen.
    mutating func finished(for origin: FetchURL.Origin) -> ID? {
        guard var line = lines[origin], line.running > 0 else {
            preconditionFailure("an exchange with \(origin) finished that never ran")
        }
        line.running -= 1
        running -= 1
        lines[origin] = line.running == 0 && line.waiting.isEmpty ? nil : line
        defer { checkInvariants() }
        return takeNext()
    }

    /// A waiting exchange leaves; false when it does not wait.
    ///
    /// - Complexity: O(n) in those waiting for the origin.
    mutating func left(_ id: ID, for origin: FetchURL.Origin) -> Bool {
        guard var line = lines[origin], let index = line.waiting.firstIndex(of: id) else { return false }
        line.waiting.remove(at: index)
        waiting -= 1
        if line.waiting.isEmpty { turns.removeAll { $0 == origin } }
        lines[origin] = line.running == 0 && line.waiting.isEmpty ? nil : line
        checkInvariants()
        return true
    }

    /// One permit is free, so one at most may start.
    private mutating func takeNext() -> ID? {
        let next = turns.firstIndex { (lines[$0]?.running ?? 0) < limits.runningPerOriginMax }
        guard let next, running < limits.runningMax else { return nil }
        let origin = turns.remove(at: next)
        guard var line = lines[origin] else { preconditionFailure("\(origin) has a turn but no line") }
        let id = line.waiting.removeFirst()
        line.running += 1
        running += 1
        waiting -= 1
        if !line.waiting.isEmpty { turns.append(origin) }
        lines[origin] = line
        return id
    }

    private func checkInvariants() {
        assert(running <= limits.runningMax && waiting <= limits.waitersMax)
        assert(running == lines.values.reduce(0) { $0 + $1.running })
        assert(waiting == lines.values.reduce(0) { $0 + $1.waiting.count })
        assert(Set(turns) == Set(lines.filter { !$0.value.waiting.isEmpty }.keys) && Set(turns).count == turns.count)
        assert(lines.values.allSatisfy { $0.running <= limits.runningPerOriginMax })
        assert(running == limits.runningMax || turns.allSatisfy { lines[$0]?.running == limits.runningPerOriginMax })
    }
}
