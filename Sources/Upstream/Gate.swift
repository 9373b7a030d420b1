import Catalogue
import EventLoop

/// When the rate of an account, or of one of its sources, allows the next call.
struct Gate: Sendable {
    /// What a call took of the rate.
    struct Permit: Sendable {
        fileprivate let cell: RateCell.Permit?
        fileprivate let startedAt: Instant
    }

    /// Networks bring calls closer together than they were sent; so they are sent further apart than they must be.
    static let spacing = 1.02

    var pause = Pause()
    /// Calls that wait here, and the interactive ones of them; background calls go after those.
    var waiting = 0
    var interactiveWaiting = 0
    /// Calls that have started and not ended.
    private(set) var running = 0
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    /// Keeps the rate and burst of `limits` from now on, and at most `perMinute` calls in any minute; calls that were
    /// allowed stay allowed.
    mutating func change(_ limits: Limits, perMinute: Int?) {
        if let perSecond = limits.perSecond {
            let interval = max(Int64((1e9 / perSecond * Self.spacing).rounded(.up)), 1)
            let burst = max(limits.burst ?? 1, 1)
            if cell == nil { cell = RateCell(interval: interval, burst: burst) }
            cell?.change(interval: interval, burst: burst)
        } else {
            cell = nil
        }
        if let perMinute {
            let limit = max(perMinute, 1)
            if minutes == nil { minutes = SlidingWindow(length: .seconds(60) * Self.spacing, limit: limit) }
            minutes?.limit = limit
        } else {
            minutes = nil
        }
    }

    /// Whether calls may have to wait for one another or for a pause.
    func mayDelay(at now: Instant) -> Bool { cell != nil || minutes != nil || pause.isOn(at: now) }

    /// When the rate allows a call that has so many before it.
    func earliest(at now: Instant, _ priority: Priority, behind others: Int) -> Instant {
        let start = max(now, pause.until)
        let ahead = others + (priority == .background ? interactiveWaiting : 0)
        return max(
            cell?.earliest(at: start, behind: ahead) ?? start,
            minutes?.earliest(at: start, behind: ahead) ?? start
        )
    }

    /// When a call would leave as much of the rate that calls after it need not wait.
    func spare(at now: Instant) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.spare(at: start) ?? start,
            minutes.map { $0.earliest(at: start, behind: $0.limit / 2) } ?? start
        )
    }

    /// Counts a call that waits here, or that waits no longer.
    mutating func wait(_ priority: Priority, _ change: Int) {
        // A source that was removed and added again begins with none.
        waiting = max(0, waiting + change)
        if priority == .interactive { interactiveWaiting = max(0, interactiveWaiting + change) }
    }

    /// A call starts, which `earliest` allowed.
    mutating func start(at now: Instant) -> Permit {
        running += 1
        minutes?.admit(at: now)
        return Permit(cell: cell?.admit(at: now), startedAt: now)
    }

    /// A call has ended; one that was never sent does not count.
    mutating func end(_ permit: Permit, wasSent: Bool) {
        running = max(0, running - 1)
        guard !wasSent else { return }
        if let taken = permit.cell { cell?.giveBack(taken) }
        minutes?.giveBack(admittedAt: permit.startedAt)
    }
}
