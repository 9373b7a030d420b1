import SearchModel

/// Counts connections, in all and per user, and decides whether one more may come in.
///
/// The last connections are kept: some for root and for users without any, the very last for root alone. When there is
/// no room, the users who hold most are named, so that an idle connection of theirs can be closed for the newcomer's.
///
/// Pure.
///
/// Invariant: `total` is the sum over `perUser`, and no user without connections is listed.
struct ConnectionLimits {
    static let totalMax = 8192
    static let root: UInt32 = 0
    /// What of all connections is kept for root alone, and what for root and users without any.
    private static let rootPart = 64
    private static let newcomersPart = 16

    /// What becomes of a new connection.
    enum Arrival: Equatable {
        case admitted
        /// Only instead of another: of an idle connection of the first of these users that has one; else it is refused.
        case replaces(ofUsers: [UInt32])
    }

    let totalMax: Int
    let perUserMax: Int
    private let keptForRoot: Int
    private let keptForNewcomers: Int
    private(set) var total = 0
    private var perUser: [UInt32: Int] = [:]

    /// Limits for so many connections in all, of which one user may have half.
    init(totalMax: Int = Self.totalMax) {
        let forRoot = max(1, totalMax / Self.rootPart)
        self.init(
            totalMax: totalMax,
            perUserMax: max(1, totalMax / 2),
            keptForRoot: forRoot,
            keptForNewcomers: max(1, totalMax / Self.newcomersPart - forRoot)
        )
    }

    init(totalMax: Int, perUserMax: Int, keptForRoot: Int = 0, keptForNewcomers: Int = 0) {
        self.totalMax = totalMax
        self.perUserMax = perUserMax
        self.keptForRoot = keptForRoot
        self.keptForNewcomers = keptForNewcomers
    }

    /// What a further connection of a user would meet; nothing is counted yet.
    ///
    /// - Complexity: O(n log n) in the users, when there is no room.
    func arrival(of user: UInt32) -> Arrival {
        let own = perUser[user, default: 0]
        guard own < perUserMax else { return .replaces(ofUsers: [user]) }
        if total < bound(for: user, holding: own) { return .admitted }
        // Of one who would hold no more than the newcomer afterwards nothing is taken: they would take turns for ever.
        let larger = perUser.filter { $0.key != user && $0.value > own + 1 }
        let users = larger.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map(\.key)
        return .replaces(ofUsers: own > 0 ? users + [user] : users)
    }

    /// The total up to which a user's connections are admitted.
    private func bound(for user: UInt32, holding own: Int) -> Int {
        if user == Self.root { return totalMax }
        return totalMax - keptForRoot - (own == 0 ? 0 : keptForNewcomers)
    }

    /// Counts a connection in.
    mutating func enter(user: UInt32) {
        perUser[user, default: 0] += 1
        total += 1
    }

    /// Counts a connection out; nothing for a user without any.
    mutating func leave(user: UInt32) {
        guard let own = perUser[user] else { return }
        perUser[user] = own > 1 ? own - 1 : nil
        total -= 1
    }

    /// The error for a connection that is turned away.
    func refusal(of user: UInt32) -> SearchError {
        SearchError(
            .overloaded,
            perUser[user, default: 0] < perUserMax
                ? "the daemon serves as many connections as it can, and none is idle that could be closed"
                : "this user has \(perUserMax) connections, and none is idle that could be closed",
            retryable: true,
            retryAfter: .seconds(1),
            hint: "Close connections that are not used, or share one."
        )
    }
}
