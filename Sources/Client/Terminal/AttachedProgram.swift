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
