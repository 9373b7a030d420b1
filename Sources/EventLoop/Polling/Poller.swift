/// What a descriptor is watched for.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Interest(rawValue: 1)
    package static let writable = Interest(rawValue: 2)

    /// As `Readiness.contains`.
    package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }
}

/// What a descriptor is ready for.
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The peer has closed both directions.
    package static let hangup = Readiness(rawValue: 4)
    /// The descriptor has an error to fetch.
    package static let failure = Readiness(rawValue: 8)

    /// Asked several times for each line that is read; what `OptionSet` has is generic and takes many times as long.
    package func contains(_ other: Readiness) -> Bool { rawValue & other.rawValue == other.rawValue }
}

/// Waits for descriptors; the seam between a loop and the kernel.
///
/// All of it is called on the loop's thread, but for `wake`.
package protocol Poller: AnyObject, Sendable {
    func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    func remove(_ descriptor: Int32)
    /// Waits, then reports each ready descriptor; returns early after `wake`.
    func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void)
    /// Ends a wait under way, or the next one. From any thread.
    func wake()
}

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
