import EventLoop

/// Lets calls through at a steady rate and after a pause some at once: GCRA on whole nanoseconds.
///
/// Invariant: no window of any length holds more than `burst` + ⌊length / `interval`⌋ of the admissions that were not
/// given back; a call that is refused is admitted after exactly its `retryAfter`, and not a nanosecond earlier.
struct RateCell: Sendable {
    /// An admission that may still be given back.
    struct Permit: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    enum Decision: Equatable, Sendable {
        case admitted(Permit)
        case refused(retryAfter: Duration)
    }

    private struct OpenPermit {
        let permit: Permit
        /// What `fullAt` would be, had only the admissions after this one been made.
        var fullAtSince: Int64
    }

    /// Long before every instant, and far enough from the end of Int64 to be reckoned with.
    private static let longAgo = Int64.min / 2

    /// So work that no one waits for uses at most a quarter of a rate that allows one call at a time.
    static let idleIntervals: Int64 = 3

    /// Nanoseconds from one admission to the next, in the long run.
    private(set) var interval: Int64
    private(set) var burst: Int
    /// When as many as `burst` may be admitted at once again; the theoretical arrival time of GCRA.
    private var fullAt = Self.longAgo
    /// Admissions that are neither settled nor given back, in their order.
    private var open: [OpenPermit] = []
    private var nextNumber: UInt64 = 0

    init(interval: Int64, burst: Int) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
    }

    /// Another rate from now on; what was admitted stays admitted.
    mutating func change(interval: Int64, burst: Int) {
        precondition(interval > 0 && burst > 0, "a rate and a burst are positive")
        self.interval = interval
        self.burst = burst
    }

    private var tolerance: Int64 { Int64(burst - 1) * interval }

    /// Admits a call now, or says how long it has to wait.
    ///
    /// - Complexity: O(n) in the admissions that are open.
    mutating func decide(at now: Instant) -> Decision {
        let now = now.nanoseconds
        let wait = fullAt - tolerance - now
        guard wait <= 0 else { return .refused(retryAfter: .nanoseconds(wait)) }
        fullAt = max(fullAt, now) + interval
        for index in open.indices { open[index].fullAtSince = max(open[index].fullAtSince, now) + interval }
        let permit = Permit(number: nextNumber)
        nextNumber += 1
        open.append(OpenPermit(permit: permit, fullAtSince: Self.longAgo))
        return .admitted(permit)
    }

    /// When a call would be admitted that has so many before it, all of them as early as they can.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let full = max(fullAt, now.nanoseconds)
        let (queue, overflow) = interval.multipliedReportingOverflow(by: Int64(others))
        let (earliest, tooLate) = (full - tolerance).addingReportingOverflow(queue)
        return overflow || tooLate ? Instant(nanoseconds: .max) : Instant(nanoseconds: max(now.nanoseconds, earliest))
    }

    /// When a call would leave half of a burst to others, or where a burst is one call, has left the rate unused for as
    /// long as `idleIntervals` calls take.
    func spare(at now: Instant) -> Instant {
        guard burst == 1 else { return earliest(at: now, behind: burst / 2) }
        let (idle, isTooLate) = fullAt.addingReportingOverflow(interval * Self.idleIntervals)
        return isTooLate ? Instant(nanoseconds: .max) : max(now, Instant(nanoseconds: idle))
    }

    /// The call was sent: its admission can't be given back any more.
    mutating func settle(_ permit: Permit) {
        open.removeAll { $0.permit == permit }
    }

    /// The call was not sent: from here on it is as though it had never been admitted.
    ///
    /// Nothing when it is settled or was given back.
    mutating func giveBack(_ permit: Permit) {
        guard let index = open.firstIndex(where: { $0.permit == permit }) else { return }
        let since = open.remove(at: index).fullAtSince
        // Admissions after this one keep what they would have used without it; a plain − interval would give them
        // what had been lost by then because the cell was full.
        fullAt = max(fullAt - interval, since)
        for earlier in open.indices.prefix(index) {
            open[earlier].fullAtSince = max(open[earlier].fullAtSince - interval, since)
        }
    }
}
