import EventLoop

/// How long a keystroke's search holds still, by how fast the keys before it came: until the next key would have come.
///
/// Pure. Of keys that come at most `wordPause` apart, however unevenly, at most two searches begin: one where the pace
/// broke, and the last. A search never waits for an earlier one; what it waits is decided when it comes.
struct TypingPace: Equatable, Sendable {
    /// How long a keystroke holds still at the least: fast typing is uneven.
    static let waitMin = Duration.milliseconds(150)
    /// Who pauses longer than this has written a word.
    static let wordPause = Duration.milliseconds(450)

    private var lastAt: Instant?
    /// The longest time between two keys of this word.
    private var longest = Duration.zero
    /// When the latest keystroke's search begins, if no other comes before.
    private var beginsAt: Instant?
    /// Whether a search has begun in the middle of this word.
    private var hasBegun = false

    /// A key was struck; how long its search holds still, or zero if it may not cost anything.
    ///
    /// The first key of a word does not wait at all: it may be a whole query that was pasted.
    mutating func struck(at now: Instant, mayCost: Bool) -> Duration {
        let gap = lastAt.map { $0.duration(to: now) } ?? .seconds(Int64.max)
        let isFirst = gap > Self.wordPause
        if isFirst { self = TypingPace() } else { longest = max(longest, gap) }
        if let beginsAt, beginsAt <= now { hasBegun = true }
        lastAt = now
        beginsAt = nil
        guard mayCost, !isFirst else { return .zero }
        let wait = hasBegun ? Self.wordPause : min(max(longest * 3 / 2, Self.waitMin), Self.wordPause)
        beginsAt = now.advanced(by: wait)
        return wait
    }
}
