import CPlatform
import EventLoop
import Glibc

/// Starts a daemon and waits until it is ready.
struct DaemonStarter {
    /// How long a daemon may take to get ready.
    static let readySeconds = 5

    let context: Context

    /// Starts a daemon on a socket; returns when one answers there, which may be another one that was faster.
    func start(listeningOn path: String) throws(ClientError) {
        guard let program = context.daemonProgram ?? DaemonProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "no searchd answers on \(path), and there is none to start beside searchctl or in PATH",
                hint: "Install searchd, or name the socket of a running one with --socket PATH."
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
        WorkerThread.collect(process)
        try wait(FileDescriptor(owning: ready), log: log)
    }

    private func wait(_ ready: consuming FileDescriptor, log: DaemonLog) throws(ClientError) {
        let deadline = Instant.now.advanced(by: .seconds(Self.readySeconds))
        var report = ReadyReport()
        while true {
            let came = try Transfers.wait(for: ready.raw, context.console.interrupt, until: deadline)
            guard came.contains(true) else {
                throw ClientError(
                    .noDaemon,
                    "searchd was started but was not ready within \(Self.readySeconds) seconds",
                    hint: log.hint
                )
            }
            if came[1] { throw ClientError(.interrupted, "interrupted") }
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

extension WorkerThread {
    /// Collects a child process when it ends, so that none is left a zombie while this program runs.
    static func collect(_ process: pid_t) {
        // Without a thread it stays a zombie; nothing depends on it.
        _ = try? WorkerThread { while waitpid(process, nil, 0) < 0, platform_errno() == EINTR {} }
    }
}

/// What a starting daemon reports on its pipe: one byte when it is ready, else why it is not; pure.
struct ReadyReport {
    /// More of an error is cut.
    static let bytesMax = 4096
    private static let readyByte = UInt8(ascii: "R")

    private var text: [UInt8] = []

    enum Outcome: Equatable {
        case unfinished
        case ready
        /// With the daemon's own words, if it said any: what is wrong, and what to do.
        case failed(message: String?, hint: String?)
    }

    /// Takes what one read brought; nothing means that the daemon has closed its end.
    mutating func received(_ bytes: [UInt8]) -> Outcome {
        if text.isEmpty, bytes == [Self.readyByte] { return .ready }
        text.append(contentsOf: bytes.prefix(Self.bytesMax - text.count))
        guard bytes.isEmpty || text.count == Self.bytesMax else { return .unfinished }
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        let hint = lines.dropFirst().joined(separator: " ")
        return .failed(message: lines.first.map(String.init), hint: hint.isEmpty ? nil : hint)
    }
}

/// Finds the `searchd` to start.
enum DaemonProgram {
    /// The one beside this program, so that versions match; else the first in PATH.
    static func find(environment: Environment) -> String? {
        let ownPath = SystemCall.target(ofLink: "/proc/self/exe").map { String(decoding: $0, as: UTF8.self) }
        return candidates(ownPath: ownPath, searchPath: environment["PATH"]).first { path in
            // The path lives through the call.
            unsafe access(path, X_OK) == 0
        }
    }

    /// The paths to look at, in order; pure.
    static func candidates(ownPath: String?, searchPath: String?) -> [String] {
        var directories: [Substring] = []
        if let ownPath, let slash = ownPath.lastIndex(of: "/") { directories.append(ownPath[..<slash]) }
        // A relative directory in PATH would start whatever lies in the current one.
        directories += (searchPath ?? "").split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.map { "\($0)/searchd" }
    }
}

/// The log of a daemon that we start: `searchd/searchd.log` in the user's state directory.
struct DaemonLog {
    /// A longer log is begun anew at the next start.
    static let bytesMax = 1 << 20

    /// The directory; nil when the user has none, and then nothing is kept.
    private let directory: String?

    init(environment: Environment) {
        directory = environment.stateHome.map { $0 + "/searchd" }
    }

    var path: String? { directory.map { $0 + "/searchd.log" } }

    /// The error for a daemon that did not start.
    var hint: String? { path.map { "“searchctl logs” shows its log, \($0)." } }

    /// Opens the log for appending; /dev/null when it can't be written.
    func open() throws(ClientError) -> FileDescriptor {
        if let directory, let path {
            // What can not be made shows when the log is opened.
            Transfers.makeDirectories(directory)
            // The path lives through the call.
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                let file = FileDescriptor(owning: descriptor)
                if lseek(file.raw, 0, SEEK_END) > Self.bytesMax { _ = ftruncate(file.raw, 0) }
                return file
            }
        }
        // The path lives through the call.
        let descriptor = unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ClientError(.system, SystemError(call: "/dev/null", number: platform_errno()).description)
        }
        return FileDescriptor(owning: descriptor)
    }
}
