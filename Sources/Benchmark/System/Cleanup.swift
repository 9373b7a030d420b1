import CPlatform
import EventLoop
import Glibc
import Synchronization

/// What must not outlive this program: its children and its temporary directories, also when it is interrupted.
enum Cleanup {
    private struct Belongings {
        var processes: Set<pid_t> = []
        var directories: Set<String> = []
    }

    private static let belongings = Mutex(Belongings())

    static func add(process: pid_t) {
        _ = belongings.withLock { $0.processes.insert(process) }
    }

    /// The process was waited for: its id may be used again.
    static func remove(process: pid_t) {
        _ = belongings.withLock { $0.processes.remove(process) }
    }

    static func add(directory: String) {
        _ = belongings.withLock { $0.directories.insert(directory) }
    }

    static func remove(directory: String) {
        _ = belongings.withLock { $0.directories.remove(directory) }
    }

    /// Kills the children and removes the directories.
    static func run() {
        belongings.withLock { belongings in
            for process in belongings.processes { kill(process, SIGKILL) }
            for directory in belongings.directories { TemporaryDirectory.remove(directory) }
            belongings = Belongings()
        }
    }

    /// Cleans up before SIGINT, SIGTERM or SIGHUP ends the program.
    ///
    /// Call it before any thread exists.
    static func runWhenInterrupted() throws(BenchmarkError) {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        // The count is that of the array.
        _ = unsafe platform_block_signals(signals, Int32(signals.count))
        _ = try BenchmarkError.wrapping { () throws(SystemError) in try WorkerThread { awaitSignal() } }
    }

    private static func awaitSignal() {
        var set = sigset_t()
        var signal: Int32 = 0
        // Both structures live as long as the calls.
        unsafe sigemptyset(&set)
        for number in [SIGINT, SIGTERM, SIGHUP] { unsafe sigaddset(&set, number) }
        while unsafe sigwait(&set, &signal) != 0 {}
        run()
        _exit(128 + signal)
    }
}
