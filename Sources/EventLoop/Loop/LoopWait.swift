/// How long a loop may wait for its descriptors.
package enum LoopWait: Equatable, Sendable {
    /// Look and come back: there is work.
    case none
    /// At most this long: a timer is set.
    case atMost(nanoseconds: Int64)
    /// Until a descriptor, a signal or another thread has something.
    case forever

    /// With work at hand never wait; else until the next timer; without timers not a single wake-up.
    package init(hasWork: Bool, nextDeadline: Instant?, now: Instant) {
        if hasWork {
            self = .none
        } else if let nextDeadline {
            self = nextDeadline <= now ? .none : .atMost(nanoseconds: now.nanoseconds(to: nextDeadline))
        } else {
            self = .forever
        }
    }
}
