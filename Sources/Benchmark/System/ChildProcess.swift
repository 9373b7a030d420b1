import Glibc

/// A program that was started here; it is stopped with its last owner.
final class ChildProcess {
    /// How long a program may take to end when it is asked to.
    private static let endSecondsMax: Int64 = 5

    let name: String
    let process: pid_t
    /// Where what it says on standard error goes; nil when nobody will ask.
    private let log: String?
    private var status: Int32?

    /// The program runs when this returns; `arguments` are without its name.
    init(_ command: Command, log: String? = nil, output: Int32? = nil) throws(BenchmarkError) {
        name = command.name
        self.log = log
        process = try command.spawn(log: log, output: output)
        Cleanup.add(process: process)
    }

    deinit {
        stop()
    }

    var figures: ProcessFigures { ProcessFigures(process: process) }

    /// Whether it still runs.
    var isRunning: Bool {
        collect(WNOHANG)
        return status == nil
    }

    /// Waits until it ends by itself; its exit status, or nil when a signal ended it.
    func exitStatus() -> Int32? {
        while status == nil { collect(0) }
        guard let status, status & 0x7F == 0 else { return nil }
        return (status >> 8) & 0xFF
    }

    /// Asks it to end, and makes it end when it doesn't.
    func stop() {
        guard isRunning else { return }
        Glibc.kill(process, SIGTERM)
        let deadline = SystemCall.now + Self.endSecondsMax * 1_000_000_000
        while isRunning {
            if SystemCall.now > deadline { Glibc.kill(process, SIGKILL) }
            SystemCall.pause(.milliseconds(2))
        }
    }

    /// Ends it at once, as a crash would, and waits until it has gone.
    func kill() {
        guard isRunning else { return }
        Glibc.kill(process, SIGKILL)
        while status == nil { collect(0) }
    }

    /// An error that says that this program failed, with the last that it said.
    func failure(_ message: String) -> BenchmarkError {
        let said = log.flatMap { SystemCall.contents(of: $0) } ?? []
        let lines = String(decoding: said, as: UTF8.self).split(separator: "\n").suffix(5)
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
