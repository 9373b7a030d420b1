import EventLoop
import Glibc

/// How the daemon ends: in good order, by a signal or for want of clients.
final class Shutdown: Sendable {
    /// How long requests in flight may take to finish.
    static let drainMax = Duration.milliseconds(4500)
    /// When the program ends whatever still hangs: the service manager waits 5 s.
    static let endMax = Duration.milliseconds(4900)

    private let service: DaemonAssembly
    private let loop: EventLoop
    private let notice: ServiceNotice
    private let log: Log
    private let socket: SocketFile?
    private let begun = Locked(false)

    init(_ service: DaemonAssembly, on loop: EventLoop, notice: ServiceNotice, log: Log, socket: SocketFile?) {
        self.service = service
        self.loop = loop
        self.notice = notice
        self.log = log
        self.socket = socket
    }

    /// TERM and INT drain, a second one ends at once; HUP reloads.
    func signalled(_ signal: Int32) {
        // What is wrong stands in the log.
        if signal == SIGHUP { _ = try? service.reload() } else if !begin(for: Self.name(signal)) { loop.stop() }
    }

    private static func name(_ signal: Int32) -> String {
        signal == SIGTERM ? "SIGTERM" : signal == SIGINT ? "SIGINT" : "signal \(signal)"
    }

    /// Begins to end.
    ///
    /// - Parameter reason: For the log.
    /// - Returns: False when it has begun before.
    @discardableResult
    func begin(for reason: String) -> Bool {
        let isFirst = begun.withLock { begun in
            defer { begun = true }
            return !begun
        }
        guard isFirst else { return false }
        // The socket is not found from here on, so no client connects to a daemon that is about to go.
        socket?.remove()
        notice.stopping()
        log.notice("stopping: \(reason)")
        let start = loop.now
        _ = loop.schedule(at: start.advanced(by: Self.endMax)) { [log, loop] in
            log.error("ended before everything was in order: something hangs")
            loop.stop()
        }
        Task(executorPreference: loop) { [service, loop] in
            await service.drain(until: start.advanced(by: Self.drainMax))
            loop.stop()
        }
        return true
    }
}
