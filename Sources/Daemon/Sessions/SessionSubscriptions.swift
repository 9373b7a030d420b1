import EventLoop
import JSON
import SearchModel

/// The subscriptions of a session; used only on the loop.
///
/// Each subscription has a task (the feed) that sends notifications.
final class SessionSubscriptions {
    typealias Feed = @Sendable (Subscription) async -> Void

    /// The feeds' tasks keep the session alive.
    private unowned let session: Session
    private var feeds: [UInt64: Task<Void, Never>] = [:]
    private var lastNumber: UInt64 = 0

    init(of session: Session) {
        self.session = session
    }

    var isEmpty: Bool { feeds.isEmpty }
    var count: Int { feeds.count }

    func contains(_ number: UInt64) -> Bool { feeds[number] != nil }

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

struct Subscription: Sendable {
    fileprivate let session: Session
    let number: UInt64

    /// Must be called on the loop; returns false if the subscription has ended.
    func send(_ method: String, _ params: (inout JSONWriter) -> Void) async -> Bool {
        await session.write {
            guard session.subscriptions.contains(number) else { return nil }
            return WireLine.notice(method, params)
        }
    }
}
