import CPlatform
import EventLoop
import Glibc
import SearchModel

/// A descriptor to poll for signals, which are blocked until `end`.
package struct SignalInput {
    package let descriptor: Int32
    private let signals: [Int32]

    package init(_ signals: [Int32]) throws(ClientError) {
        self.signals = signals
        // The array has as many numbers as the call reads, and lives through it.
        descriptor = unsafe platform_signal_descriptor(signals, Int32(signals.count))
        guard descriptor >= 0 else { throw ClientError(SystemError(call: "signalfd", number: platform_errno())) }
    }

    /// Delivers a signal; SIGTSTP stops until the program is continued.
    package func deliver(_ signal: Int32) {
        // Pending while it is blocked, it is delivered before the next call returns.
        kill(getpid(), signal)
        _ = unsafe platform_unblock_signals([signal], 1)
        _ = unsafe platform_block_signals([signal], 1)
    }

    package func end() {
        close(descriptor)
        // The array has as many numbers as the call reads, and lives through it.
        _ = unsafe platform_unblock_signals(signals, Int32(signals.count))
    }

    /// The next signal, if any.
    package func next() -> Int32? {
        let signal = platform_next_signal(descriptor)
        return signal > 0 ? signal : nil
    }
}

/// A question on the terminal.
struct Question {
    private let console: Console

    /// Nil without a person at a terminal.
    init?(_ console: Console) {
        guard isatty(console.input) == 1, console.outputIsTerminal, console.errorsIsTerminal else { return nil }
        self.console = console
    }

    /// Asks for y or yes; anything else is no.
    func isConfirmed(_ text: String) throws(ClientError) -> Bool {
        ["y", "yes"].contains(try answer("\(text) [y/N] ").filter { !$0.isWhitespace }.lowercased())
    }

    /// Asks for a line; empty at the end of the input.
    func answer(_ text: String) throws(ClientError) -> String {
        console.write(text, to: console.errors)
        while true {
            let ready = try Transfers.wait(for: console.input, console.interrupt)
            if ready[1] {
                console.write("\n", to: console.errors)
                throw ClientError(.interrupted, "interrupted")
            }
            // The terminal gives a line at once.
            guard let line = try Transfers.read(console.input, bytesMax: 4096) else { continue }
            if line.isEmpty { console.write("\n", to: console.errors) }
            return String(decoding: line, as: UTF8.self)
        }
    }
}
