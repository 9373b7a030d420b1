import CPlatform
import EventLoop
import Glibc

/// Kills child processes and removes temporary directories when this program ends or is interrupted.
enum Cleanup {
    private static let processes = Locked<Set<pid_t>>([])
    private static let directories = Locked<Set<String>>([])

    static func add(process: pid_t) { processes.withLock { _ = $0.insert(process) } }

    /// Must be called when a process has ended, because its ID may be reused.
    static func remove(process: pid_t) { processes.withLock { _ = $0.remove(process) } }

    static func add(directory: String) { directories.withLock { _ = $0.insert(directory) } }

    static func remove(directory: String) { directories.withLock { _ = $0.remove(directory) } }

    static func run() {
        processes.withLock { for process in $0 { kill(process, SIGKILL) } }
        directories.withLock { for directory in $0 { TemporaryDirectory.remove(directory) } }
    }

    /// Must be called before threads are started.
    static func runWhenInterrupted() throws {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        // The count is the length of the array.
        _ = unsafe platform_block_signals(signals, Int32(signals.count))
        _ = try WorkerThread {
            var set = sigset_t()
            var signal: Int32 = 0
            // Both locals are valid during the calls.
            unsafe sigemptyset(&set)
            for number in signals { unsafe sigaddset(&set, number) }
            while unsafe sigwait(&set, &signal) != 0 {}
            run()
            _exit(128 + signal)
        }
    }
}

/// A temporary directory that all users may enter.
///
/// It is removed when this object is destroyed.
package final class TemporaryDirectory {
    package let path: String

    package init() throws {
        // No thread changes the environment. The text is copied at once.
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/searchbench-XXXXXX".utf8CString)
        // mkdtemp writes within the template, which ends with NUL.
        guard unsafe mkdtemp(&template) != nil, unsafe chmod(template, 0o755) == 0 else {
            throw SystemCall.failure("making a directory in \(parent)")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        Cleanup.add(directory: path)
    }

    deinit {
        Cleanup.remove(directory: path)
        Self.remove(path)
    }

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    package func directory(_ name: String) throws -> String {
        let path = file(name)
        // The path is valid during the call.
        _ = try SystemCall.checked("making \(path)") { unsafe mkdir(path, 0o755) }
        return path
    }

    /// Does not follow links.
    static func remove(_ path: String) {
        // The path is valid during the calls.
        if unsafe unlink(path) == 0 { return }
        for name in SystemCall.names(in: path) ?? [] { remove("\(path)/\(name)") }
        _ = unsafe rmdir(path)
    }
}
