/// Decides which transfers may run, with a total limit, a limit per origin, and round robin between origins.
///
/// Pure. A slow origin uses only its own permits. Within an origin, transfers start in order of arrival. Invariant: no
/// transfer waits while there is a permit for it.
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

    private let limits: Limits
    /// The waiting transfers in order of arrival.
    private var waiters: [(id: ID, origin: FetchURL.Origin)] = []
    /// The number of running transfers of each origin, and the sequence number of its last start.
    private var origins: [FetchURL.Origin: (running: Int, lastStart: Int)] = [:]
    private var starts = 0
    private(set) var running = 0

    init(limits: Limits) {
        self.limits = limits
    }

    var waiting: Int { waiters.count }

    mutating func arrived(_ id: ID, for origin: FetchURL.Origin) -> Admission {
        if mayRun(origin) {
            start(origin)
            return .start
        }
        guard waiters.count < limits.waitersMax else { return .refuse }
        waiters.append((id, origin))
        return .wait
    }

    /// Records the end of a running transfer.
    ///
    /// Returns the one that starts now, if any.
    ///
    /// - Complexity: O(n) in the waiters.
    mutating func finished(for origin: FetchURL.Origin) -> ID? {
        guard let running = origins[origin]?.running, running > 0 else {
            preconditionFailure("a transfer with \(origin) finished that never ran")
        }
        origins[origin]?.running -= 1
        self.running -= 1
        // The origin with the oldest last start is next.
        let next = waiters.indices.filter { mayRun(waiters[$0].origin) }.min { first, second in
            (origins[waiters[first].origin]?.lastStart ?? 0) < (origins[waiters[second].origin]?.lastStart ?? 0)
        }
        defer { forget(origin) }
        guard let next else { return nil }
        let waiter = waiters.remove(at: next)
        start(waiter.origin)
        return waiter.id
    }

    /// Removes a waiting transfer; returns false if it is not waiting.
    mutating func left(_ id: ID, for origin: FetchURL.Origin) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return false }
        waiters.remove(at: index)
        forget(origin)
        return true
    }

    private func mayRun(_ origin: FetchURL.Origin) -> Bool {
        running < limits.runningMax && origins[origin]?.running ?? 0 < limits.runningPerOriginMax
    }

    private mutating func start(_ origin: FetchURL.Origin) {
        starts += 1
        running += 1
        origins[origin] = (origins[origin, default: (0, 0)].running + 1, starts)
    }

    private mutating func forget(_ origin: FetchURL.Origin) {
        if origins[origin]?.running == 0, !waiters.contains(where: { $0.origin == origin }) { origins[origin] = nil }
    }
}
