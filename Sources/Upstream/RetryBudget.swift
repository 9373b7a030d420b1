/// Pays for retries, so that a source that can't be helped by them is not asked more than a tenth more often.
///
/// Every call pays in a little and every call that succeeds more, every retry takes a whole unit. Where up to a fifth
/// of the calls fail all of them can be made again; where nothing succeeds, retries are a tenth of the calls.
///
/// Invariant: after n calls that are no retries and s calls that succeeded there were at most `begin` + `share` · n +
/// `successShare` · s retries; without a success that is no more than n / 10 from 100 calls on.
struct RetryBudget: Sendable {
    /// All in hundredths of a retry, so that nothing is rounded.
    private static let unit = 100
    private static let share = 8
    /// What every search needs where a fifth of the calls fail: 1 / (1 - 0.2) - 1.
    private static let successShare = 25
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

    /// A call succeeded.
    mutating func succeeded() {
        saved = min(saved + Self.successShare, Self.most)
    }

    /// Pays for a retry; false when there is not enough.
    mutating func spend() -> Bool {
        guard saved >= Self.price else { return false }
        saved -= Self.price
        return true
    }
}
