import EventLoop

/// Turns this run's instants into wall time and back, at one moment.
///
/// Pure. When the wall clock was set back since a page was written, the page is taken as new, never as from the future;
/// and no page is fresh for longer than it was when it was fetched.
struct PageTimes: Sendable {
    let now: Instant
    /// Nanoseconds since 1970.
    let wall: Int64

    func wall(at instant: Instant) -> Int64 {
        let (sum, overflow) = wall.addingReportingOverflow(now.nanoseconds(to: instant))
        return overflow ? (instant < now ? .min : .max) : sum
    }

    func instant(fetchedAt wallTime: Int64) -> Instant {
        now.advanced(by: .nanoseconds(min(0, ahead(wallTime))))
    }

    func instant(freshUntil wallTime: Int64, fetchedAt: Int64) -> Instant {
        let (life, overflow) = wallTime.subtractingReportingOverflow(fetchedAt)
        let left = min(ahead(wallTime), overflow || life < 0 ? 0 : life)
        return now.advanced(by: .nanoseconds(left))
    }

    /// How far a time is ahead of this moment.
    private func ahead(_ wallTime: Int64) -> Int64 {
        let (difference, overflow) = wallTime.subtractingReportingOverflow(wall)
        return overflow ? (wallTime < wall ? .min : .max) : difference
    }
}
