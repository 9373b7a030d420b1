import CPlatform
import EventLoop
import Glibc

/// A program that we started and that shares our terminal: a pager, a text browser.
struct AttachedProgram: ~Copyable {
    private let process: pid_t
    /// What we write for it to read; nil when it reads what we would.
    private var input: Int32?

    /// Starts a program that reads our standard input; nil when there is no such program.
    static func start(_ words: [String]) -> AttachedProgram? {
        // The list lives through the call, which keeps none of it.
        let process = unsafe withCStrings(words) { unsafe platform_spawn_attached($0, nil) }
        guard process > 0 else { return nil }
        return AttachedProgram(process: process, input: nil)
    }

    /// Starts a program that reads what is written to `writing`; nil when there is no such program.
    static func startReading(_ words: [String]) -> AttachedProgram? {
        var input: Int32 = -1
        // The call reads the list and fills the local before it returns.
        let process = unsafe withCStrings(words) { unsafe platform_spawn_attached($0, &input) }
        guard process > 0 else { return nil }
        return AttachedProgram(process: process, input: input)
    }

    /// Where its input is written; nil when it reads ours.
    var writing: Int32? { input }

    /// Ends its input and waits for its end; its exit status, or nil when a signal ended it.
    mutating func finish() -> Int32? {
        if let input { close(input) }
        input = nil
        var status: Int32 = 0
        // The call fills the local, which outlives it; the process is ours.
        while unsafe waitpid(process, &status, 0) < 0, platform_errno() == EINTR {}
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : nil
    }
}

/// Another program in the place of this one.
enum ProgramReplacement {
    /// Becomes a program; returns only when that fails.
    ///
    /// - Parameters:
    ///   - path: Where the program is.
    ///   - words: Its command line, beginning with its name.
    ///   - variables: What its environment has unless ours has it.
    /// - Returns: Why it could not be done.
    static func run(_ path: String, _ words: [String], variables: [String: String] = [:]) -> ClientError {
        // The path lives through the call. What can't be run is seen before this process changes at all.
        guard unsafe access(path, X_OK) == 0 else { return failure(path) }
        _ = platform_reset_signals()
        // No thread of ours reads the environment meanwhile; the call copies both texts.
        for (name, value) in variables { unsafe setenv(name, value, 0) }
        // The strings and their list are the new program's from here on; the list ends with NULL as execv wants it.
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        _ = unsafe execv(path, &arguments)
        return failure(path)
    }

    private static func failure(_ path: String) -> ClientError {
        let error = SystemError(call: path, number: platform_errno())
        return ClientError(.noDaemon, "\(path.split(separator: "/").last ?? "") could not be run (\(error))")
    }
}

/// Finds programs as a shell does.
package enum ProgramSearch {
    /// What a shell looks through when `PATH` is not set.
    private static let standardPath = "/usr/local/bin:/usr/bin:/bin"

    /// A path as it is; of a plain name the first in `PATH`, whose relative directories are passed over.
    package static func path(of name: String, _ environment: Environment) -> String? {
        if name.utf8.contains(UInt8(ascii: "/")) { return canRun(name) ? name : nil }
        let directories = (environment["PATH"] ?? standardPath).split(separator: ":").filter { $0.hasPrefix("/") }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: canRun)
    }

    private static func canRun(_ path: String) -> Bool {
        // The path lives through the call.
        unsafe access(path, X_OK) == 0
    }
}
