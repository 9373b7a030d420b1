import EventLoop

/// The sessions there are: how one is closed for another, and when the last has ended.
///
/// `@unchecked Sendable` so that its timer may hold it: confined to the loop.
final class SessionTable: @unchecked Sendable {
    private let loop: EventLoop
    private let log: Log
    private let counters: Counters
    private var sessions: [UInt64: Session] = [:]
    private var lastNumber: UInt64 = 0
    private var idle = IdleSessions()
    private var whenEmpty: CheckedContinuation<Void, Never>?
    /// Since when there has been no session; nil while there is one.
    private(set) var emptySince: Instant?
    /// Called with the peer of each session that has ended.
    var ended: (Peer) -> Void = { _ in }

    init(on loop: EventLoop, _ log: Log, _ counters: Counters) {
        self.loop = loop
        self.log = log
        self.counters = counters
        emptySince = loop.now
    }

    var count: Int { sessions.count }
    var all: some Collection<Session> { sessions.values }

    func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    func add(_ session: Session) {
        sessions[session.number] = session
        emptySince = nil
    }

    /// A session has ended; nothing when it was never added.
    func remove(_ session: Session) {
        guard sessions.removeValue(forKey: session.number) != nil else { return }
        if sessions.isEmpty {
            emptySince = loop.now
            resumeWhenEmpty()
        }
        ended(session.peer)
    }

    // MARK: Room for others

    /// Closes the session that has been idle longest of the first of these users that has one; false when none has.
    func closeIdle(of users: [UInt32]) -> Bool {
        for user in users {
            if closeNextIdle(of: user) { return true }
            idle.look(at: loop.now, among: count) {
                all.filter { $0.isIdle && $0.subscriptions.isEmpty }.map {
                    .init(number: $0.number, userID: $0.peer.userID, servedAt: $0.input.servedAt)
                }
            }
            if closeNextIdle(of: user) { return true }
        }
        return false
    }

    private func closeNextIdle(of user: UInt32) -> Bool {
        while let entry = idle.next(of: user) {
            guard let session = sessions[entry.number], session.isIdle, session.subscriptions.isEmpty,
                session.input.servedAt == entry.servedAt,
                // What has come is read in the next turn.
                !session.hasUnreadInput
            else { continue }
            counters.connectionsReplaced += 1
            log.debug("an idle connection of user \(user) is closed to make room")
            session.close()
            return true
        }
        return false
    }

    // MARK: The end

    /// Returns when the last session has ended, or at the deadline.
    func waitUntilEmpty(until deadline: Instant) async {
        guard !sessions.isEmpty else { return }
        let timer = loop.schedule(at: deadline) { [self] in resumeWhenEmpty() }
        await withCheckedContinuation { continuation in
            // The last one may have ended on the way here.
            if sessions.isEmpty { continuation.resume() } else { whenEmpty = continuation }
        }
        loop.cancel(timer)
    }

    private func resumeWhenEmpty() {
        whenEmpty?.resume()
        whenEmpty = nil
    }
}
