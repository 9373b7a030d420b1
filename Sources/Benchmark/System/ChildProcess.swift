import CPlatform
import EventLoop
import Glibc

/// A program with arguments and additional environment variables.
struct Command {
    /// The path of the program, or its name in PATH.
    var program: String
    var arguments: [String] = []
    var environment: [String] = []

    var name: String { String(program.split(separator: "/").last ?? "") }
}

/// A child process, which is stopped when this object is destroyed.
final class ChildProcess {
    /// The time within which the process must end after SIGTERM.
    private static let endSecondsMax: Int64 = 5

    let name: String
    let process: pid_t
    private let log: String
    private var status: Int32?

    /// Starts a program; its output is appended to the file `log`.
    init(_ command: Command, log: String = "/dev/null") throws {
        (name, self.log) = (command.name, log)
        let output = try SystemCall.open(log, O_WRONLY | O_CREAT | O_APPEND)
        // Variables that configure searchd are not inherited.
        let inherited = (SystemCall.contents(of: "/proc/self/environ") ?? []).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix("SEARCHD_") }
        // Both lists are valid during the call, which copies them.
        process = try SystemCall.checked("starting \(command.program)") {
            unsafe withCStrings([command.program] + command.arguments) { words in
                unsafe withCStrings(command.environment + inherited) { variables in
                    unsafe platform_spawn(words, variables, output.raw, output.raw)
                }
            }
        }
        Cleanup.add(process: process)
    }

    deinit { stop() }

    var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    /// Waits until the process ends; throws unless its exit status is 0.
    func awaitSuccess() throws {
        while status == nil { collect(0) }
        if status != 0 { throw failure("failed") }
    }

    /// Sends SIGTERM, then SIGKILL after a timeout.
    func stop() {
        guard isRunning else { return }
        Glibc.kill(process, SIGTERM)
        let deadline = SystemCall.now + Self.endSecondsMax * 1_000_000_000
        while isRunning {
            if SystemCall.now > deadline { Glibc.kill(process, SIGKILL) }
            SystemCall.pause(.milliseconds(2))
        }
    }

    /// Sends SIGKILL and waits until the process has ended.
    func kill() {
        guard isRunning else { return }
        Glibc.kill(process, SIGKILL)
        while status == nil { collect(0) }
    }

    /// Returns an error about this program, with the last lines of its log as the hint.
    func failure(_ message: String) -> BenchmarkError {
        let lines = String(decoding: SystemCall.contents(of: log) ?? [], as: UTF8.self).split(separator: "\n").suffix(5)
        return BenchmarkError("\(name) \(message)", hint: lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    private func collect(_ options: Int32) {
        guard status == nil else { return }
        var collected: Int32 = 0
        // The status is valid during the call that fills it.
        guard unsafe waitpid(process, &collected, options) == process else { return }
        Cleanup.remove(process: process)
        status = collected
    }
}

// MARK: Kernel statistics

extension ChildProcess {
    /// Returns the processor time of all threads, including ended ones, in nanoseconds.
    func processorTime() throws -> Int64 {
        var clock = clockid_t()
        // The local is valid during the call that fills it.
        guard unsafe clock_getcpuclockid(process, &clock) == 0 else { throw failure("has ended") }
        return SystemCall.time(of: clock)
    }

    /// Returns the resident memory in bytes, from smaps_rollup, because `status` can be wrong by some hundred KiB.
    func residentBytes() throws -> Double { try kibibytes("Rss", in: "smaps_rollup") * 1024 }

    /// Returns the peak of resident memory in bytes.
    func peakResidentBytes() throws -> Double { try kibibytes("VmHWM", in: "status") * 1024 }

    /// Returns the number of voluntary context switches of all threads, which is the number of wake-ups.
    func wakeUps() -> Int {
        (SystemCall.names(in: "/proc/\(process)/task") ?? []).reduce(0) { sum, thread in
            let text = SystemCall.contents(of: "/proc/\(process)/task/\(thread)/status") ?? []
            return sum + (Self.field("voluntary_ctxt_switches", in: text) ?? 0)
        }
    }

    private func kibibytes(_ field: String, in file: String) throws -> Double {
        guard let value = SystemCall.contents(of: "/proc/\(process)/\(file)").flatMap({ Self.field(field, in: $0) })
        else { throw failure("has ended") }
        return Double(value)
    }

    /// Returns the number in the line that begins with `name:`.
    static func field(_ name: String, in text: [UInt8]) -> Int? {
        let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("\(name):".utf8)) }
        return line.flatMap { line in
            Int(String(decoding: line.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self))
        }
    }
}
