import EventLoop
import Glibc

/// Ends the daemon gracefully, after a signal or without clients.
final class Shutdown: Sendable {
    /// How long requests in flight may take.
    static let drainMax = Duration.milliseconds(4500)
    /// When the program ends in any case; the service manager waits 5 s.
    static let endMax = Duration.milliseconds(4900)

    private let service: DaemonAssembly
    private let loop: EventLoop
    private let notice: ServiceNotice
    private let log: Log
    private let socket: DaemonSocket?
    private let begun = Locked(false)

    init(_ service: DaemonAssembly, on loop: EventLoop, notice: ServiceNotice, log: Log, socket: DaemonSocket?) {
        self.service = service
        self.loop = loop
        self.notice = notice
        self.log = log
        self.socket = socket
    }

    /// TERM and INT end the daemon, a second one at once; HUP reloads.
    func signalled(_ signal: Int32) {
        switch signal {
        // The log has the errors.
        case SIGHUP: _ = try? service.reload()
        case SIGTERM: end(for: "SIGTERM")
        default: end(for: "SIGINT")
        }
    }

    private func end(for reason: String) {
        if !begin(for: reason) { loop.stop() }
    }

    /// Begins the end.
    ///
    /// - Parameter reason: For the log.
    /// - Returns: False if it has begun before.
    @discardableResult
    func begin(for reason: String) -> Bool {
        let isFirst = begun.withLock { begun in
            defer { begun = true }
            return !begun
        }
        guard isFirst else { return false }
        // New clients must not connect to a daemon that ends.
        socket?.remove()
        notice.stopping()
        log.notice("stopping: \(reason)")
        let start = loop.now
        _ = loop.schedule(at: start.advanced(by: Self.endMax)) { [log, loop] in
            log.error("ended before all work was finished")
            loop.stop()
        }
        Task(executorPreference: loop) { [service, loop] in
            await service.drain(until: start.advanced(by: Self.drainMax))
            loop.stop()
        }
        return true
    }
}
