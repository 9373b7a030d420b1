import EventLoop

/// Reports to the service manager that the loop runs; without reports the manager restarts the daemon.
struct Watchdog: Sendable {
    private let loop: EventLoop
    private let notice: ServiceNotice
    private let pause: Duration

    /// Nil if the manager does not expect reports.
    init?(on loop: EventLoop, _ notice: ServiceNotice, _ surroundings: ProcessEnvironment) {
        guard let pause = Self.pause(surroundings) else { return nil }
        self.loop = loop
        self.notice = notice
        self.pause = pause
    }

    /// Returns half of the manager's limit (WATCHDOG_USEC) if it is for this process.
    static func pause(_ surroundings: ProcessEnvironment) -> Duration? {
        let process = surroundings.variable("WATCHDOG_PID")
        guard process == nil || process == "\(surroundings.processID)",
            let microseconds = surroundings.variable("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 1
        else { return nil }
        return .microseconds(microseconds / 2)
    }

    /// Reports now and after each pause; on the loop.
    func begin() {
        notice.alive()
        _ = loop.schedule(at: loop.now.advanced(by: pause)) { [self] in begin() }
    }
}
