import EventLoop

/// Ends a socket-activated daemon after a time without clients.
///
/// `@unchecked Sendable` so that timers may hold it: confined to the loop.
final class IdleWatch: @unchecked Sendable {
    static let pauseMin = Duration.seconds(1)

    private let loop: EventLoop
    private let idleSince: () -> Instant?
    private let end: (Duration) -> Void
    private var pause: Duration?
    private var timer: Timer?

    /// - Parameters:
    ///   - loop: Has the clock and the timer.
    ///   - idleSince: Returns when the last client disconnected; nil while one is connected or work is in flight.
    ///   - end: Ends the daemon; the argument is the time without clients.
    init(on loop: EventLoop, idleSince: @escaping () -> Instant?, end: @escaping (Duration) -> Void) {
        self.loop = loop
        self.idleSince = idleSince
        self.end = end
    }

    /// Sets the time without clients; nil means never.
    func wait(_ pause: Duration?) {
        if let timer = timer.take() { loop.cancel(timer) }
        self.pause = pause
        check()
    }

    private func check() {
        guard let pause else { return }
        let deadline = (idleSince() ?? loop.now).advanced(by: pause)
        guard deadline > loop.now else { return end(pause) }
        timer = loop.schedule(at: deadline) { [self] in check() }
    }
}
