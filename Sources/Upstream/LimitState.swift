import Catalogue
import EventLoop

/// The rate limits and the pause of an account or a source: decides when the next call may start.
struct LimitState: Sendable {
    /// Calls can arrive closer together than they were sent, so the intervals are 2 % longer.
    static let spacing = 1.02

    var pause = Pause()
    private(set) var slots: Int?
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    mutating func change(_ limits: Limits, perMinute: Int?) {
        slots = limits.concurrency
        cell = limits.perSecond.map { perSecond in
            let interval = max(Int64((1e9 / perSecond * Self.spacing).rounded(.up)), 1)
            return RateCell(interval: interval, burst: max(limits.burst ?? 1, 1), after: cell)
        }
        minutes = perMinute.map { perMinute in
            var window = minutes ?? SlidingWindow(length: .seconds(60) * Self.spacing, limit: 1)
            window.limit = max(perMinute, 1)
            return window
        }
    }

    func shared(_ owner: String) -> SharedRate {
        SharedRate(
            owner: owner,
            interval: cell.map { ($0.interval + 999) / 1000 } ?? 0,
            burst: cell?.burst ?? 1,
            perMinute: minutes?.limit ?? 0
        )
    }

    /// If `leavesHalf` is true, leaves half of the burst and of the calls per minute unused.
    func earliest(at now: Instant, behind others: Int = 0, leavesHalf: Bool = false) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell.map { $0.earliest(at: start, behind: others + (leavesHalf ? $0.burst / 2 : 0)) } ?? start,
            minutes.map { $0.earliest(at: start, behind: others + (leavesHalf ? $0.limit / 2 : 0)) } ?? start
        )
    }

    mutating func start(at now: Instant) {
        cell?.admit(at: now)
        minutes?.admit(at: now)
    }

    mutating func giveBack(startedAt instant: Instant) {
        cell?.giveBack(admittedAt: instant)
        minutes?.giveBack(admittedAt: instant)
    }
}
