import CPlatform
import EventLoop
import Glibc

/// Signals as something to poll: from its making on they do nothing else in this thread, until `end`.
struct SignalInput {
    let descriptor: Int32
    private let signals: [Int32]

    init(_ signals: [Int32]) throws(ClientError) {
        self.signals = signals
        // The array has as many numbers as the call reads, and lives through it.
        descriptor = unsafe platform_signal_descriptor(signals, Int32(signals.count))
        guard descriptor >= 0 else { throw ClientError(SystemError(call: "signalfd", number: platform_errno())) }
    }

    /// Has a signal do what it does by itself: of SIGTSTP, returns when the program is continued.
    func deliver(_ signal: Int32) {
        // Pending while it is blocked, it is delivered before the next call returns.
        kill(getpid(), signal)
        _ = unsafe platform_unblock_signals([signal], 1)
        _ = unsafe platform_block_signals([signal], 1)
    }

    /// From now on the signals do again what they do by themselves.
    func end() {
        close(descriptor)
        // The array has as many numbers as the call reads, and lives through it.
        _ = unsafe platform_unblock_signals(signals, Int32(signals.count))
    }

    /// The next signal that has come; nil when none has.
    func next() -> Int32? {
        let signal = platform_next_signal(descriptor)
        return signal > 0 ? signal : nil
    }
}
