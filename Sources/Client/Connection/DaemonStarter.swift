import CPlatform
import EventLoop
import Glibc

/// Starts a daemon and waits until it is ready.
struct DaemonStarter {
    /// How long a daemon may take to get ready.
    static let readySeconds = 5

    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    /// Starts a daemon on a socket; returns when one answers there, be it another one that was faster.
    func start(listeningOn path: String) throws(ClientError) {
        guard let program = context.daemonProgram ?? DaemonProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "no searchd answers on \(path), and there is none to start beside searchctl or in PATH",
                hint: "Install searchd, or name the socket of a running one with --socket PATH"
            )
        }
        let log = DaemonLog(environment: context.environment)
        var ready: Int32 = -1
        let logDescriptor = try log.open()
        // The strings live through the call; the local is filled before it returns.
        let process = unsafe platform_spawn_daemon(program, path, logDescriptor.raw, &ready)
        guard process > 0 else {
            let error = SystemError(call: program, number: platform_errno())
            throw ClientError(.noDaemon, "searchd could not be started (\(error))")
        }
        try wait(FileDescriptor(owning: ready), log: log)
    }

    private func wait(_ ready: consuming FileDescriptor, log: DaemonLog) throws(ClientError) {
        let deadline = Instant.now.advanced(by: .seconds(Self.readySeconds))
        var report = ReadyReport()
        while true {
            var polled = [
                pollfd(fd: ready.raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: context.console.interrupt ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            // The kernel fills the array, whose length is given, during the call.
            let count = unsafe poll(&polled, nfds_t(polled.count), deadline.pollTimeout(from: .now))
            if count < 0, platform_errno() == EINTR { continue }
            guard count > 0 else {
                throw ClientError(
                    .noDaemon,
                    "searchd was started but is not ready after \(Self.readySeconds) seconds",
                    hint: log.hint
                )
            }
            if polled[1].revents != 0 { throw ClientError(.interrupted, "interrupted") }
            switch report.received(try Transfers.read(ready.raw, bytesMax: ReadyReport.bytesMax) ?? []) {
            case .unfinished: continue
            case .ready: return
            case .failed(let message?, let hint):
                throw ClientError(.noDaemon, "searchd did not start: \(message)", hint: hint)
            case .failed(nil, _):
                throw ClientError(.noDaemon, "searchd ended before it was ready", hint: log.hint)
            }
        }
    }
}
