import EventLoop

/// When a daemon that has gone is looked for again: soon, and ever later while none comes or stays; pure.
struct RetryPace {
    static let shortest = Duration.milliseconds(250)
    static let longest = Duration.seconds(4)
    /// A connection that lasted as long was a good one.
    static let stay = Duration.seconds(5)

    private var pause = shortest
    private var connectedAt: Instant?

    mutating func connected(at now: Instant) { connectedAt = now }

    /// There is no connection, or no longer; when to try again.
    mutating func failed(at now: Instant) -> Instant {
        if let connectedAt, connectedAt.duration(to: now) >= Self.stay { pause = Self.shortest }
        connectedAt = nil
        defer { pause = min(pause * 2, Self.longest) }
        return now.advanced(by: pause)
    }
}
