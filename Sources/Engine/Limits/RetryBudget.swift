/// Keeps retries within a tenth of the calls: every call pays in a little, every retry takes a whole unit.
///
/// Invariant: after n calls that are no retries there were at most `begin` + `share` · n retries, which from 100 calls on
/// is no more than n / 10.
struct RetryBudget: Sendable {
    /// All in hundredths of a retry, so that nothing is rounded.
    private static let unit = 100
    private static let share = 8
    private static let begin = 2 * unit + share
    /// What a long time without failures may save up.
    private static let most = 10 * price
    /// A retry is a call and pays in as well; that does not count.
    private static let price = unit + share

    private var saved = Self.begin

    /// A call was sent.
    mutating func called() {
        saved = min(saved + Self.share, Self.most)
    }

    /// Pays for a retry; false when there is not enough.
    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
