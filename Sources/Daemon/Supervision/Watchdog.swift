import EventLoop

/// Tells the service manager from the loop itself that the loop still turns: when it hangs, nothing is told, and the
/// manager starts the daemon anew.
final class Watchdog: Sendable {
    private let loop: EventLoop
    private let notice: ServiceNotice
    private let pause: Duration

    /// Nil when this process is not watched.
    init?(on loop: EventLoop, _ notice: ServiceNotice, _ surroundings: ProcessEnvironment) {
        guard let pause = Self.pause(surroundings) else { return nil }
        self.loop = loop
        self.notice = notice
        self.pause = pause
    }

    /// Half of what the manager waits (WATCHDOG_USEC), when it is this process that it watches.
    static func pause(_ surroundings: ProcessEnvironment) -> Duration? {
        let process = surroundings.variable("WATCHDOG_PID")
        guard process == nil || process == "\(surroundings.processID)",
            let microseconds = surroundings.variable("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 1
        else { return nil }
        return .microseconds(microseconds / 2)
    }

    /// Tells it now, and from now on; on the loop.
    func begin() {
        notice.alive()
        _ = loop.schedule(at: loop.now.advanced(by: pause)) { [self] in begin() }
    }
}
