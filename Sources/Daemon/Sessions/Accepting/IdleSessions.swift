import EventLoop

/// Which sessions were idle at the last look at all of them, in the order in which they may be closed for others.
///
/// A look costs the loop time in proportion to the sessions. One look serves until a user's are used up, and the next
/// comes only when as much time has passed as makes looking a small part of the loop's.
///
/// Pure.
struct IdleSessions {
    /// A look takes less than a tenth of this for each session.
    private static let pausePerSession = Duration.microseconds(10)
    /// So few are looked at in no time.
    private static let fewMax = 256

    struct Entry: Equatable {
        let number: UInt64
        let userID: UInt32
        /// When it had been served at the time; one that has been served since is no longer the one to close.
        let servedAt: Instant
    }

    /// By user, the one that had been idle longest last.
    private var entries: [UInt32: [Entry]] = [:]
    private var nextLook = Instant(nanoseconds: 0)

    /// Takes out the user's session that had been idle longest; nil when none is left.
    mutating func next(of user: UInt32) -> Entry? {
        entries[user]?.popLast()
    }

    /// Looks at all sessions, unless it is too early for that.
    ///
    /// - Complexity: O(n log n) in the sessions.
    /// - Parameters:
    ///   - now: The present.
    ///   - count: How many sessions there are.
    ///   - idle: Finds those that are idle.
    mutating func look(at now: Instant, among count: Int, idle: () -> [Entry]) {
        guard now >= nextLook else { return }
        nextLook = now.advanced(by: count > Self.fewMax ? Self.pausePerSession * count : .zero)
        entries = Dictionary(grouping: idle(), by: \.userID)
        for user in entries.keys {
            entries[user]?.sort { ($0.servedAt, $0.number) > ($1.servedAt, $1.number) }
        }
    }
}
