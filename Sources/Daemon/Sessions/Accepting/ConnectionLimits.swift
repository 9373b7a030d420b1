import SearchModel

/// Counts connections, in all and per user, and says whether one more may come in.
///
/// Pure.
///
/// Invariant: `total` is the sum over `perUser`, and no user without connections is listed.
struct ConnectionLimits {
    static let totalMax = 8192
    static let perUserMax = 4096

    let totalMax: Int
    let perUserMax: Int
    private(set) var total = 0
    private var perUser: [UInt32: Int] = [:]

    init(totalMax: Int = Self.totalMax, perUserMax: Int = Self.perUserMax) {
        self.totalMax = totalMax
        self.perUserMax = perUserMax
    }

    /// Counts a connection in; the refusal when there is no place for it.
    mutating func admit(user: UInt32) -> SearchError? {
        let own = perUser[user, default: 0]
        guard total < totalMax, own < perUserMax else {
            return SearchError(
                .overloaded,
                own < perUserMax
                    ? "the daemon serves \(totalMax) connections already"
                    : "this user has \(perUserMax) connections already",
                retryable: true,
                retryAfter: .seconds(1),
                hint: "Close connections that are not used, or share one."
            )
        }
        perUser[user] = own + 1
        total += 1
        return nil
    }

    mutating func leave(user: UInt32) {
        guard let own = perUser[user] else { return }
        perUser[user] = own > 1 ? own - 1 : nil
        total -= 1
    }
}
