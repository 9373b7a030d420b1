import CPlatform
import EventLoop
import Fleet
import Glibc
import TestSupport
import Testing

/// A private Redis on a Unix socket.
///
/// `@unchecked Sendable` is safe because each test uses the server in one task at a time.
final class RedisServer: @unchecked Sendable {
    static let program: String? = {
        let paths: [String] = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]
        // The path is valid during the call.
        return paths.first { path in unsafe access(path, X_OK) == 0 }
    }()
    static let isMissing: Comment = "redis-server is missing: run “scripts/install-packages test”"

    private let directory = TemporaryDirectory(under: "/tmp")
    private let options: [String]
    private var process: pid_t = -1

    var address: SharedServerAddress { .path(directory.file("redis")) }

    init(_ options: [String] = []) throws {
        self.options = options
        try start()
    }

    deinit { kill() }

    func start() throws {
        let words =
            [
                Self.program ?? "", "--port", "0", "--unixsocket", directory.file("redis"), "--save", "", "--dir",
                directory.path,
            ]
            + ["--logfile", directory.file("log")] + options
        process = unsafe withCStrings(words) { unsafe platform_spawn($0, nil, -1, -1) }
        guard process > 0 else { throw TestFailure("redis-server can't be started") }
    }

    func kill() {
        guard process > 0 else { return }
        _ = Glibc.kill(process, SIGKILL)
        var status: Int32 = 0
        // The local is valid during the call.
        _ = unsafe waitpid(process, &status, 0)
        process = -1
    }

    func suspend() { _ = Glibc.kill(process, SIGSTOP) }
    func resume() { _ = Glibc.kill(process, SIGCONT) }
}
