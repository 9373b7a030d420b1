import EventLoop

/// When to try again after `accept` failed for want of descriptors or memory.
///
/// Pure.
struct AcceptBackoff {
    static let first = Duration.milliseconds(50)
    static let longest = Duration.seconds(2)

    private var pause = first

    /// A failure: how long to leave the listener alone.
    mutating func failed() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }

    mutating func succeeded() {
        pause = Self.first
    }
}
