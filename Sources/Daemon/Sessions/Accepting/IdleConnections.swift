import EventLoop

/// Which connections were idle at the last look at all of them, in the order in which they may be closed for others.
///
/// A look costs the loop time in proportion to the connections. One look serves until a user's are used up, and the next
/// comes only when as much time has passed as makes looking a small part of the loop's.
///
/// Pure.
struct IdleConnections {
    /// A look takes less than a tenth of this for each connection.
    private static let pausePerConnection = Duration.microseconds(10)
    /// So few are looked at in no time.
    private static let fewMax = 256

    struct Entry: Equatable {
        let number: UInt64
        /// When it had been served at the time; one that has been served since is no longer the one to close.
        let servedAt: Instant
    }

    /// By user, the one that had been idle longest last.
    private var entries: [UInt32: [Entry]] = [:]
    private var nextLook = Instant(nanoseconds: 0)

    /// Takes out the user's connection that had been idle longest; nil when none is left.
    mutating func next(of user: UInt32) -> Entry? {
        entries[user]?.popLast()
    }

    /// Looks at all connections, unless it is too early for that.
    ///
    /// - Complexity: O(n log n) in the connections.
    mutating func look(at connections: some Collection<Connection>, now: Instant) {
        guard now >= nextLook else { return }
        let pause = connections.count > Self.fewMax ? Self.pausePerConnection * connections.count : .zero
        nextLook = now.advanced(by: pause)
        entries = [:]
        for connection in connections where connection.isIdle {
            let entry = Entry(number: connection.number, servedAt: connection.servedAt)
            entries[connection.peer.userID, default: []].append(entry)
        }
        for user in entries.keys {
            entries[user]?.sort { ($0.servedAt, $0.number) > ($1.servedAt, $1.number) }
        }
    }
}
