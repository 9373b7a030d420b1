import EventLoop

/// The reusable handles of libcurl.
///
/// Used only on the loop, and never from a callback of libcurl.
final class CurlHandlePool {
    private static let idleHandlesMax = 16

    private let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private let woken: @Sendable (MultiHandle.Wake) -> Void
    private let idleTimeEnded: @Sendable () -> Void
    private(set) var multi: MultiHandle?
    private var idleHandles: [EasyHandle] = []
    private var idleTimer: Timer?
    private var idleSince: Instant

    init(
        loop: EventLoop,
        configuration: HTTPClientConfiguration,
        woken: @escaping @Sendable (MultiHandle.Wake) -> Void,
        idleTimeEnded: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.configuration = configuration
        self.woken = woken
        self.idleTimeEnded = idleTimeEnded
        idleSince = loop.now
    }

    func attach(_ exchange: HTTPTransfer) {
        let multi = multi ?? makeMulti()
        let easy = idleHandles.popLast() ?? EasyHandle(configuration)
        easy.prepare(exchange.hop)
        easy.report(to: exchange)
        exchange.easy = easy
        multi.add(exchange, easy)
    }

    func detach(_ exchange: HTTPTransfer) {
        guard let easy = exchange.easy else { return }
        exchange.easy = nil
        multi?.remove(easy)
        guard easy.isReusable, idleHandles.count < Self.idleHandlesMax else { return }
        easy.leave()
        idleHandles.append(easy)
    }

    func close() {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        multi?.close()
        multi = nil
        idleHandles = []
    }

    /// A new exchange does not cancel the idle timer.
    ///
    /// If the timer fires too early, it is set again.
    func becameIdle() {
        idleSince = loop.now
        if idleTimer == nil { setIdleTimer() }
    }

    func idleTimeEnded(isIdle: Bool) {
        idleTimer = nil
        guard isIdle else { return }
        if loop.now >= idleSince.advanced(by: configuration.idleAfter) {
            close()
        } else {
            setIdleTimer()
        }
    }

    private func setIdleTimer() {
        idleTimer = loop.schedule(at: idleSince.advanced(by: configuration.idleAfter), idleTimeEnded)
    }

    private func makeMulti() -> MultiHandle {
        let made = MultiHandle(loop: loop, idleConnectionsMax: configuration.idleConnectionsMax, woken: woken)
        multi = made
        return made
    }
}
