/// When changes are committed: as many together as came together the last time, where that costs little; pure.
///
/// Clients that are answered together ask together again. Without a wait the first of them would have a commit for
/// itself, and all others the next, so that every change would cost two.
struct CommitPace: Sendable {
    /// However long commits take.
    static let waitMax = Duration.milliseconds(2)

    /// How many changes are likely to come together.
    private(set) var expected = 1
    private var wait = Duration.zero

    /// How long to wait for more than these; nil to commit them now.
    func wait(with count: Int) -> Duration? { count >= expected ? nil : wait }

    /// Half a commit's time is worth waiting to save one.
    mutating func committed(_ count: Int, in time: Duration) {
        expected = count
        wait = min(time / 2, Self.waitMax)
    }
}
