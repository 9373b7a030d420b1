import CPlatform
import EventLoop
import Glibc

/// Starts a daemon and waits until it is ready.
struct DaemonStarter {
    /// The daemon tries for 6 s to lock its directory, before it reports that another daemon uses the directory.
    static let readySeconds = 8
    private static let errorBytesMax = 4096

    let context: Context

    func start(listeningOn path: String) throws(ClientError) {
        guard let program = context.daemonProgram ?? InstalledProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "no searchd answers on \(path), and searchd is neither in the directory of searchctl nor in PATH",
                hint: "Install searchd, or give the socket of a running daemon with --socket PATH."
            )
        }
        let log = DaemonLog(environment: context.environment)
        var ready: Int32 = -1
        let logDescriptor = try log.open()
        // The strings are valid during the call. The call fills `ready`.
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
        var text: [UInt8] = []
        while text != [UInt8(ascii: "R")] {
            let isReady = try DescriptorIO.wait(for: ready.raw, context.console.interrupt, until: deadline)
            if isReady[1] { throw ClientError(.interrupted, "interrupted") }
            guard isReady[0] else {
                let message = "searchd was started but was not ready within \(Self.readySeconds) seconds"
                throw ClientError(.noDaemon, message, hint: log.hint)
            }
            let more = try DescriptorIO.read(ready.raw, bytesMax: Self.errorBytesMax) ?? []
            text += more
            guard more.isEmpty || text.count > Self.errorBytesMax else { continue }
            let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
            guard let message = lines.first else {
                throw ClientError(.noDaemon, "searchd ended before it was ready", hint: log.hint)
            }
            let hint = lines.dropFirst().joined(separator: " ")
            throw ClientError(.noDaemon, "searchd did not start: \(message)", hint: hint.isEmpty ? nil : hint)
        }
    }
}

extension WorkerThread {
    static func collect(_ process: pid_t) {
        _ = try? WorkerThread { _ = ChildProcess.wait(for: process) }
    }
}

enum InstalledProgram {
    static func find(_ name: String = "searchd", environment: Environment) -> String? {
        let own = SystemCall.target(ofLink: "/proc/self/exe")
            .map { PathFacts.parent(of: String(decoding: $0, as: UTF8.self)) }
        let places = own.map { ["\($0)/\(name)", "\($0)/../libexec/searchd/\(name)"] } ?? []
        return (places + [name]).lazy.compactMap { ProgramSearch.path(of: $0, environment) }.first
    }
}

/// The log of a daemon that searchctl starts.
struct DaemonLog {
    static let bytesMax = 1 << 20

    private let directory: String?

    init(environment: Environment) {
        directory = environment.stateHome.map { $0 + "/searchd" }
    }

    var path: String? { directory.map { $0 + "/searchd.log" } }

    var hint: String? { path.map { "“searchctl logs” shows its log, \($0)." } }

    func open() throws(ClientError) -> FileDescriptor {
        if let directory, let path {
            StateFile.createDirectory(directory)
            // The path is valid during the call.
            let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor >= 0 {
                let file = FileDescriptor(owning: descriptor)
                if lseek(file.raw, 0, SEEK_END) > Self.bytesMax { _ = ftruncate(file.raw, 0) }
                return file
            }
        }
        // The path is valid during the call.
        let descriptor = unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ClientError(.system, SystemError(call: "/dev/null", number: platform_errno()).description)
        }
        return FileDescriptor(owning: descriptor)
    }
}
