import EventLoop

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
    ///   - idleSince: Since when nobody has been connected; nil while somebody is.
    /// - Returns: Whether it may end now, or when to look again.
    func decide(at now: Instant, idleSince: Instant?) -> Decision {
        guard let idleSince else { return .wait(until: now.advanced(by: pause)) }
        let end = idleSince.advanced(by: pause)
        return end <= now ? .end : .wait(until: end)
    }
}
