import Catalogue
import EventLoop

/// When an account, or one of its sources, allows the next call, and how many at once.
struct Gate: Sendable {
    /// The share of the rate that a call used.
    struct Permit: Sendable {
        fileprivate let cell: RateCell.Permit?
        fileprivate let startedAt: Instant
    }

    /// Networks can deliver calls closer together than they were sent, so calls are sent further apart than required.
    static let spacing = 1.02

    var pause = Pause()
    /// How many calls may run at once; nil for any number.
    private(set) var slots: Int?
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    /// Sets the limits, and at most `perMinute` calls in any minute; calls that were allowed stay allowed.
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

    /// Whether calls may have to wait for one another or for a pause.
    func mayDelay(at now: Instant) -> Bool { cell != nil || minutes != nil || pause.isOn(at: now) }

    /// When the rate allows a call with this many calls before it.
    func earliest(at now: Instant, behind others: Int = 0) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.earliest(at: start, behind: others) ?? start,
            minutes?.earliest(at: start, behind: others) ?? start
        )
    }

    /// When a call would leave enough of the rate for later calls to start without waiting.
    func spare(at now: Instant) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.spare(at: start) ?? start,
            minutes.map { $0.earliest(at: start, behind: $0.limit / 2) } ?? start
        )
    }

    /// Records the start of a call that `earliest` allowed.
    mutating func start(at now: Instant) -> Permit {
        minutes?.admit(at: now)
        return Permit(cell: cell?.admit(at: now), startedAt: now)
    }

    /// Removes a call that was never sent.
    mutating func giveBack(_ permit: Permit) {
        if let taken = permit.cell { cell?.giveBack(taken) }
        minutes?.giveBack(admittedAt: permit.startedAt)
    }
}
