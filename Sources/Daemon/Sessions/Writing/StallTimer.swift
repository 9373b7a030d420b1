import EventLoop

/// Drops the reader of a session that takes nothing for `Outbox.stallMax`.
///
/// Confined to the loop.
final class StallTimer {
    /// The session owns this; the timer keeps the session alive.
    private unowned let session: Session
    private var timer: Timer?

    init(of session: Session) {
        self.session = session
    }

    /// Begins or ends the wait, by what the session has to send.
    func update() {
        guard let deadline = session.output.stallDeadline else { return cancel() }
        guard timer == nil, !session.isClosed else { return }
        timer = session.shared.loop.schedule(at: deadline) { [session] in session.stallTimer.expired() }
    }

    /// The reader may have taken something meanwhile.
    private func expired() {
        timer = nil
        guard let deadline = session.output.stallDeadline, session.shared.loop.now >= deadline else { return update() }
        session.closeStalled("it has not read for \(Outbox.stallMax.components.seconds) s")
    }

    func cancel() {
        if let timer { session.shared.loop.cancel(timer) }
        timer = nil
    }
}

extension Session {
    /// Closes it for a reader that takes nothing.
    func closeStalled(_ why: String) {
        shared.counters.connectionsStalled += 1
        shared.log.info("a connection of user \(peer.userID) is dropped: \(why)")
        close()
    }
}
