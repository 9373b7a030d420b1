import EventLoop
import Glibc

/// A child process, which is stopped with its last owner.
final class ChildProcess {
    /// How long a program may take to end after SIGTERM.
    private static let endSecondsMax: Int64 = 5

    let name: String
    let process: pid_t
    /// The file to which its errors are added.
    private let log: String?
    /// The reading end of the pipe that takes its output; -1 without one.
    private let output: Int32
    private var status: Int32?

    /// The program runs when this returns; `line` returns what it prints when `isHeard`.
    init(_ command: Command, log: String? = nil, isHeard: Bool = false) throws(BenchmarkError) {
        var ends: [Int32] = [-1, -1]
        if isHeard {
            // The array has room for both ends.
            _ = try SystemCall.checked("making a pipe") { unsafe pipe(&ends) }
        }
        defer { if isHeard { close(ends[1]) } }
        name = command.name
        self.log = log
        output = ends[0]
        process = try command.spawn(output: ends[1], log: log ?? "/dev/null")
        Cleanup.add(process: process)
    }

    /// The program runs on a terminal when this returns.
    init(_ command: Command, onTerminal path: String) throws(BenchmarkError) {
        name = command.name
        (log, output) = (nil, -1)
        process = try command.spawn(onTerminal: path)
        Cleanup.add(process: process)
    }

    deinit {
        stop()
        if output >= 0 { close(output) }
    }

    var figures: ProcessFigures { ProcessFigures(process: process) }

    var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    /// The next line of its output, without the line feed; nil when the program has closed it.
    func line() throws(BenchmarkError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = try SystemCall.checked("reading the output of \(name)") {
                // One byte fits into one byte.
                unsafe read(output, &byte, 1)
            }
            if count == 0 { return nil }
            if byte == UInt8(ascii: "\n") { return bytes }
            bytes.append(byte)
        }
    }

    /// Waits until it ends; its exit status, or nil when a signal ended it.
    func exitStatus() -> Int32? {
        while status == nil { collect(0) }
        guard let status, status & 0x7F == 0 else { return nil }
        return (status >> 8) & 0xFF
    }

    /// Sends SIGTERM, and SIGKILL when it does not end.
    func stop() {
        guard isRunning else { return }
        Glibc.kill(process, SIGTERM)
        let deadline = SystemCall.now + Self.endSecondsMax * 1_000_000_000
        while isRunning {
            if SystemCall.now > deadline { Glibc.kill(process, SIGKILL) }
            SystemCall.pause(.milliseconds(2))
        }
    }

    /// Sends SIGKILL, as a crash would end it, and waits until it has ended.
    func kill() {
        guard isRunning else { return }
        Glibc.kill(process, SIGKILL)
        while status == nil { collect(0) }
    }

    /// An error that says that this program failed, with the last lines of its log.
    func failure(_ message: String) -> BenchmarkError {
        let text = log.flatMap { SystemCall.contents(of: $0) } ?? []
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").suffix(5)
        return BenchmarkError(.program, "\(name) \(message)", hint: lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    private func collect(_ options: Int32) {
        guard status == nil else { return }
        var collected: Int32 = 0
        // The status outlives the call that fills it.
        guard unsafe waitpid(process, &collected, options) == process else { return }
        Cleanup.remove(process: process)
        status = collected
    }
}
