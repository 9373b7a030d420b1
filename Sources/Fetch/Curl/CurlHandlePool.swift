import EventLoop

/// What libcurl keeps from one exchange to the next: the multi handle with its connections, and easy handles to reuse.
///
/// Used only on the loop's thread, and never from inside one of libcurl's callbacks. The multi handle is made when the
/// first exchange needs it, and closed after a long time without any.
final class CurlHandlePool {
    private static let idleHandlesMax = 16

    private let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private let woken: @Sendable (MultiHandle.Wake) -> Void
    private let idleTimeEnded: @Sendable () -> Void
    /// Nil while nothing has been fetched for a while.
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

    /// Gives an exchange that is started to libcurl.
    func attach(_ exchange: HTTPTransfer) {
        let multi = multi ?? makeMulti()
        let easy = idleHandles.popLast() ?? EasyHandle(configuration)
        easy.prepare(exchange.hop, allowsHTTP2: exchange.request.allowsHTTP2)
        easy.report(to: exchange)
        exchange.easy = easy
        exchange.started()
        multi.add(exchange, easy)
    }

    /// Takes an exchange from libcurl; nothing when it is not there.
    func detach(_ exchange: HTTPTransfer) {
        guard let easy = exchange.easy else { return }
        exchange.easy = nil
        multi?.remove(easy)
        guard easy.isReusable, idleHandles.count < Self.idleHandlesMax else { return }
        easy.leave()
        idleHandles.append(easy)
    }

    /// Closes everything; the next exchange begins anew.
    func close() {
        if let idleTimer { loop.cancel(idleTimer) }
        idleTimer = nil
        multi?.close()
        multi = nil
        idleHandles = []
    }

    /// The last exchange has ended.
    ///
    /// One timer runs on through busy times and is set again only when it finds that they were; so a busy client does
    /// not set one per exchange, and an idle one wakes up once.
    func becameIdle() {
        idleSince = loop.now
        if idleTimer == nil { setIdleTimer() }
    }

    /// The idle timer has fired; closes everything if nothing has happened for the idle time.
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
