import EventLoop
import JSON
import SearchModel

/// The subscriptions of a session: feeds of notices that belong to no request.
///
/// Confined to the loop.
final class SessionSubscriptions {
    typealias Feed = @Sendable (Subscription) async -> Void

    /// The session owns this; the feeds' tasks keep the session alive.
    private unowned let session: Session
    private var feeds: [UInt64: Task<Void, Never>] = [:]
    private var lastNumber: UInt64 = 0

    init(of session: Session) {
        self.session = session
    }

    var isEmpty: Bool { feeds.isEmpty }
    var count: Int { feeds.count }

    func contains(_ number: UInt64) -> Bool { feeds[number] != nil }

    /// Begins a feed in a later turn of the loop, and so after an answer that the method gives at once.
    ///
    /// - Parameter feed: Sends its notices on the loop, and returns at its end; cancelled when the subscription ends.
    /// - Returns: The number by which the client may end it.
    /// - Throws: `limitReached`.
    func begin(_ feed: @escaping Feed) throws(SearchError) -> UInt64 {
        let usage = session.server.usage
        guard feeds.count < usage.limits.subscriptions, usage.admitsSubscription(of: session.peer.userID) else {
            throw SessionErrors.tooManySubscriptions
        }
        lastNumber += 1
        let number = lastNumber
        feeds[number] = Task(executorPreference: session.server.loop) { [session] in
            await feed(Subscription(session: session, number: number))
            session.subscriptions.end(number)
        }
        session.account()
        return number
    }

    /// Ends a feed; false if it does not exist.
    @discardableResult
    func end(_ number: UInt64) -> Bool {
        guard let feed = feeds.removeValue(forKey: number) else { return false }
        feed.cancel()
        session.account()
        return true
    }

    func endAll() {
        for feed in feeds.values { feed.cancel() }
        feeds = [:]
    }
}

/// Sends the notices of a feed to its client.
struct Subscription: Sendable {
    fileprivate let session: Session
    let number: UInt64

    /// Sends one notice, on the loop; waits for room in the output.
    ///
    /// - Parameters:
    ///   - method: The notification's name.
    ///   - params: Writes its parameters, once there is room.
    /// - Returns: False when the subscription has ended, and nothing was sent.
    func send(_ method: String, _ params: (inout JSONWriter) -> Void) async -> Bool {
        await session.write {
            guard session.subscriptions.contains(number) else { return nil }
            return WireLine.notice(method, params)
        }
    }
}
