import CPlatform
import EventLoop
import Glibc

/// A child process that uses the terminal of this process, such as a pager, an editor or a text browser.
struct TerminalProgram: ~Copyable {
    private let process: pid_t
    private var input: Int32?

    /// If `isReading` is true, the program reads what the caller writes to `writing`.
    static func start(_ words: [String], isReading: Bool = false) -> TerminalProgram? {
        var input: Int32 = -1
        // The call reads the list and fills `input` before it returns.
        let process = unsafe withCStrings(words) { list in
            unsafe isReading ? platform_spawn_attached(list, &input) : platform_spawn_attached(list, nil)
        }
        guard process > 0 else { return nil }
        return TerminalProgram(process: process, input: isReading ? input : nil)
    }

    var writing: Int32? { input }

    mutating func finish() -> Int32? {
        if let input { close(input) }
        input = nil
        return ChildProcess.wait(for: process)
    }
}

enum ChildProcess {
    static func wait(for process: pid_t) -> Int32? {
        var status: Int32 = 0
        // The call fills `status`.
        while unsafe waitpid(process, &status, 0) < 0, platform_errno() == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}

/// Replaces this process with another program.
enum ProgramReplacement {
    static func run(_ path: String, _ words: [String]) -> ClientError {
        // The path is valid during the call.
        guard unsafe access(path, X_OK) == 0 else { return failure(path) }
        _ = platform_reset_signals()
        // The strings are not freed, because the new program replaces this process. execv needs a NULL at the end.
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execv(path, &arguments)
        return failure(path)
    }

    private static func failure(_ path: String) -> ClientError {
        let error = SystemError(call: path, number: platform_errno())
        return ClientError(.noDaemon, "\(path.split(separator: "/").last ?? "") could not be run (\(error))")
    }
}

/// Finds programs in `PATH`.
package enum ProgramSearch {
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    package static func path(of name: String, _ environment: Environment) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return canRun(name) ? name : nil }
        let directories = (environment["PATH"] ?? standardPath).split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: canRun)
    }

    private static func canRun(_ path: String) -> Bool {
        // The path is valid during the call.
        unsafe access(path, X_OK) == 0
    }
}
