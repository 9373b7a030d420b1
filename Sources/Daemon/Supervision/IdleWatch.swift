import EventLoop

/// Ends a daemon that the service manager starts on demand when no client has needed it for a while; on the loop.
final class IdleWatch: Sendable {
    private struct State {
        var pause: Duration?
        var timer: Timer?
    }

    private let loop: EventLoop
    private let idleSince: @Sendable () -> Instant?
    private let end: @Sendable () -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - loop: Where it waits.
    ///   - idleSince: Since when no client has been connected and nothing is in flight; nil while one or the other is.
    ///   - end: Ends the daemon in good order.
    init(
        on loop: EventLoop,
        idleSince: @escaping @Sendable () -> Instant?,
        end: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.idleSince = idleSince
        self.end = end
    }

    /// Sets how long to wait from now on; nil waits for ever.
    func wait(_ pause: Duration?) {
        let timer = state.withLock { state in
            defer { state = State(pause: pause) }
            return state.timer
        }
        if let timer { loop.cancel(timer) }
        look()
    }

    private func look() {
        guard let pause = state.withLock({ $0.pause }) else { return }
        switch IdleExit(pause: pause).decide(at: loop.now, idleSince: idleSince()) {
        case .end: end()
        case .wait(let deadline):
            let timer = loop.schedule(at: deadline) { [self] in look() }
            state.withLock { $0.timer = timer }
        }
    }
}

/// When a daemon that the service manager starts on demand may end: after a time without clients; pure.
struct IdleExit: Equatable, Sendable {
    static let pauseMin = Duration.seconds(1)

    enum Decision: Equatable, Sendable {
        case end
        /// Look again then.
        case wait(until: Instant)
    }

    let pause: Duration

    /// Whether the pause is over.
    ///
    /// - Parameters:
    ///   - now: The present.
    ///   - idleSince: Since when no client has been connected; nil while one is.
    /// - Returns: Whether it may end now, or when to look again.
    func decide(at now: Instant, idleSince: Instant?) -> Decision {
        guard let idleSince else { return .wait(until: now.advanced(by: pause)) }
        let end = idleSince.advanced(by: pause)
        return end <= now ? .end : .wait(until: end)
    }
}
