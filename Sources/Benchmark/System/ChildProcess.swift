import CPlatform
import EventLoop
import Glibc

struct Command {
    var program: String
    var arguments: [String] = []
    var environment: [String] = []

    var name: String { String(program.split(separator: "/").last ?? "") }

    func run(as user: UInt32) -> Command {
        let words = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", program]
        return Command(program: "setpriv", arguments: words + arguments, environment: environment)
    }
}

/// A child process, which ends when this object is destroyed.
final class ChildProcess {
    private static let endSecondsMax: Int64 = 5

    let name: String
    let process: pid_t
    private let log: String
    private let output: Int32
    private var status: Int32?

    /// Appends stderr to `log`.
    ///
    /// If `capturesOutput` is true, `line` reads stdout.
    init(_ command: Command, log: String = "/dev/null", capturesOutput: Bool = false) throws {
        var ends: [Int32] = [-1, -1]
        if capturesOutput {
            _ = try SystemCall.checked("making a pipe") { unsafe pipe(&ends) }
        }
        defer { if capturesOutput { close(ends[1]) } }
        (name, self.log, output) = (command.name, log, ends[0])
        let writing = ends[1]
        let errors = try SystemCall.open(log, O_WRONLY | O_CREAT | O_APPEND)
        // Variables that configure searchd must not reach the child.
        let inherited = (SystemCall.contents(of: "/proc/self/environ") ?? []).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix("SEARCHD_") }
        // Both lists are valid during the call, which copies them.
        process = try SystemCall.checked("starting \(command.program)") {
            unsafe withCStrings([command.program] + command.arguments) { words in
                unsafe withCStrings(command.environment + inherited) { variables in
                    unsafe platform_spawn(words, variables, writing, errors.raw)
                }
            }
        }
        Cleanup.add(process: process)
    }

    deinit {
        stop()
        if output >= 0 { close(output) }
    }

    var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    func line() throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = try SystemCall.checked("reading the output of \(name)") {
                // The call reads one byte into the local variable.
                unsafe read(output, &byte, 1)
            }
            if count == 0 { return nil }
            if byte == UInt8(ascii: "\n") { return bytes }
            bytes.append(byte)
        }
    }

    func awaitSuccess() throws {
        while status == nil { collect(0) }
        if status != 0 { throw failure("failed") }
    }

    func stop() {
        guard isRunning else { return }
        Glibc.kill(process, SIGTERM)
        let deadline = SystemCall.now + Self.endSecondsMax * 1_000_000_000
        while isRunning {
            if SystemCall.now > deadline { Glibc.kill(process, SIGKILL) }
            SystemCall.pause(.milliseconds(2))
        }
    }

    func kill() {
        guard isRunning else { return }
        Glibc.kill(process, SIGKILL)
        while status == nil { collect(0) }
    }

    func failure(_ message: String) -> BenchmarkError {
        let lines = String(decoding: SystemCall.contents(of: log) ?? [], as: UTF8.self).split(separator: "\n").suffix(5)
        return BenchmarkError("\(name) \(message)", hint: lines.isEmpty ? nil : lines.joined(separator: "\n"))
    }

    private func collect(_ options: Int32) {
        guard status == nil else { return }
        var collected: Int32 = 0
        guard unsafe waitpid(process, &collected, options) == process else { return }
        Cleanup.remove(process: process)
        status = collected
    }
}

extension ChildProcess {
    private static let idlePeriod = Duration.milliseconds(1500)
    /// A process that uses less processor time in a period is idle.
    private static let idleTimeMax: Int64 = 5_000_000
    private static let idlePeriodsMax = 40

    /// Waits until the process is idle; throws after a minute.
    func processorTimeWhenIdle() throws -> Int64 {
        var time = try processorTime()
        for _ in 0..<Self.idlePeriodsMax {
            SystemCall.pause(Self.idlePeriod)
            let before = time
            time = try processorTime()
            if time - before < Self.idleTimeMax { return time }
        }
        throw failure("was not idle for a minute")
    }

    func processorTime() throws -> Int64 {
        var clock = clockid_t()
        // The local is valid during the call that fills it.
        guard unsafe clock_getcpuclockid(process, &clock) == 0 else { throw failure("has ended") }
        return SystemCall.time(of: clock)
    }

    /// From smaps_rollup, because `status` can be wrong by some hundred KiB.
    func residentBytes() throws -> Double { try kibibytes("Rss", in: "smaps_rollup") * 1024 }

    func peakResidentBytes() throws -> Double { try kibibytes("VmHWM", in: "status") * 1024 }

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

    static func field(_ name: String, in text: [UInt8]) -> Int? {
        let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("\(name):".utf8)) }
        return line.flatMap { line in
            Int(String(decoding: line.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }, as: UTF8.self))
        }
    }
}
