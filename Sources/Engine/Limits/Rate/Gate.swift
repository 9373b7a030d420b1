import Catalogue
import EventLoop
import RPC

/// The rate and the concurrency of calls to an account, or to one of its sources.
struct Gate: Sendable {
    /// What a call took of it.
    struct Permit: Sendable {
        fileprivate let cell: RateCell.Permit?
        let admittedAt: Instant
    }

    enum Obstacle: Equatable, Sendable {
        /// Nothing before then.
        case until(Instant, WaitReason)
        /// Nothing before a call ends.
        case slot
    }

    /// Networks bring calls closer together than they were sent; so they are sent further apart than they must be.
    static let spacing = 1.02
    /// For a file or a configuration that says nothing of it.
    static let concurrencyDefault = 8

    var pause = Pause()
    private(set) var inUse = 0
    private var cell: RateCell?
    private var minutes: SlidingWindow?

    /// Applies the rate and burst of `limits`; at most `perMinute` calls in any minute.
    init(_ limits: Limits, perMinute: Int?) {
        change(limits, perMinute: perMinute)
    }

    /// Other limits from now on; what was admitted stays admitted.
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
            minutes?.change(limit: limit)
        } else {
            minutes = nil
        }
    }

    /// Why a call can't go now, if so many may be under way at once; nil when it can.
    func obstacle(at now: Instant, slots: Int, behind others: Int = 0) -> Obstacle? {
        if pause.isOn(at: now) { return .until(pause.until, .retryAfter) }
        if inUse + others >= slots { return .slot }
        let earliest = earliest(at: now, behind: others)
        return earliest > now ? .until(earliest, .rateLimit) : nil
    }

    /// When the rate lets a call go that has so many before it.
    func earliest(at now: Instant, behind others: Int) -> Instant {
        let start = max(now, pause.until)
        return max(
            cell?.earliest(at: start, behind: others) ?? start,
            minutes?.earliest(at: start, behind: others) ?? start
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

    /// A call goes, which `obstacle` allowed.
    mutating func enter(at now: Instant) -> Permit {
        inUse += 1
        minutes?.admit(at: now)
        guard case .admitted(let permit) = cell?.decide(at: now) else { return Permit(cell: nil, admittedAt: now) }
        return Permit(cell: permit, admittedAt: now)
    }

    /// The call was sent, so that it counts.
    mutating func sent(_ permit: Permit) {
        if let taken = permit.cell { cell?.settle(taken) }
    }

    /// The call is over; one that was never sent does not count.
    mutating func leave(_ permit: Permit, wasSent: Bool) {
        inUse -= 1
        guard !wasSent else { return }
        if let taken = permit.cell { cell?.giveBack(taken) }
        minutes?.giveBack(admittedAt: permit.admittedAt)
    }
}
