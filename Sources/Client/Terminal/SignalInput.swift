import CPlatform
import EventLoop

/// Signals as something to poll: from its making on they do nothing else, to the end of the program.
struct SignalInput {
    let descriptor: Int32

    init(_ signals: [Int32]) throws(ClientError) {
        var signals = signals
        // The array has as many numbers as the call is told, and lives through it.
        descriptor = unsafe platform_signal_descriptor(&signals, Int32(signals.count))
        guard descriptor >= 0 else { throw ClientError(SystemError(call: "signalfd", number: platform_errno())) }
    }

    /// The next signal that has come; nil when none has.
    func next() -> Int32? {
        let signal = platform_next_signal(descriptor)
        return signal > 0 ? signal : nil
    }
}
