import EventLoop

/// Ends the daemon after some time without clients; used only on the loop, so `@unchecked` is safe.
final class IdleWatch: @unchecked Sendable {
    static let pauseMin = Duration.seconds(1)

    private let loop: EventLoop
    private let idleSince: () -> Instant?
    private let end: (Duration) -> Void
    private var pause: Duration?
    private var timer: Timer?

    /// `idleSince` returns nil while a client is connected or work is in flight.
    init(on loop: EventLoop, idleSince: @escaping () -> Instant?, end: @escaping (Duration) -> Void) {
        self.loop = loop
        self.idleSince = idleSince
        self.end = end
    }

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
