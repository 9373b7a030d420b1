import EventLoop

/// Ends a socket-activated daemon after a time without clients; on the loop.
final class IdleWatch: Sendable {
    static let pauseMin = Duration.seconds(1)

    private struct State {
        var pause: Duration?
        var timer: Timer?
    }

    private let loop: EventLoop
    private let idleSince: @Sendable () -> Instant?
    private let end: @Sendable (Duration) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - loop: Has the clock and the timer.
    ///   - idleSince: Returns when the last client disconnected; nil while one is connected or work is in flight.
    ///   - end: Ends the daemon; the argument is the time without clients.
    init(
        on loop: EventLoop,
        idleSince: @escaping @Sendable () -> Instant?,
        end: @escaping @Sendable (Duration) -> Void
    ) {
        self.loop = loop
        self.idleSince = idleSince
        self.end = end
    }

    /// Sets the time without clients; nil means never.
    func wait(_ pause: Duration?) {
        let timer = state.withLock { state in
            defer { state = State(pause: pause) }
            return state.timer
        }
        if let timer { loop.cancel(timer) }
        check()
    }

    private func check() {
        guard let pause = state.withLock({ $0.pause }) else { return }
        let deadline = (idleSince() ?? loop.now).advanced(by: pause)
        guard deadline > loop.now else { return end(pause) }
        let timer = loop.schedule(at: deadline) { [self] in check() }
        state.withLock { $0.timer = timer }
    }
}
