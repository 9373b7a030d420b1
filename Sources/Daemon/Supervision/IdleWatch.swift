import EventLoop

/// Ends the daemon when it has had no clients for some time; used if a socket unit can start the daemon again.
///
/// It is used only on the loop. `Sendable` is needed because timers keep a reference.
final class IdleWatch: @unchecked Sendable {
    static let pauseMin = Duration.seconds(1)

    private let loop: EventLoop
    private let idleSince: () -> Instant?
    private let end: (Duration) -> Void
    private var pause: Duration?
    private var timer: Timer?

    /// Creates a watch without a pause, which never ends the daemon.
    ///
    /// `idleSince` returns nil while a client is connected or work is in flight. `end` gets the time without clients.
    init(on loop: EventLoop, idleSince: @escaping () -> Instant?, end: @escaping (Duration) -> Void) {
        self.loop = loop
        self.idleSince = idleSince
        self.end = end
    }

    /// Sets the time without clients after which the daemon ends; if nil, the daemon never ends for this reason.
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
