import CPlatform
import EventLoop
import Glibc

/// How a terminal was set when we found it; what changes it puts it back.
struct TerminalMode {
    private let descriptor: Int32
    private let original: termios

    /// Nil when there is no terminal.
    init?(_ descriptor: Int32) {
        var found = termios()
        // The call fills the local, which outlives it.
        guard unsafe tcgetattr(descriptor, &found) == 0 else { return nil }
        self.descriptor = descriptor
        original = found
    }

    /// Whether lines are typed on it as usual; false while some program takes every key, as those do that draw on it.
    var isReadByLine: Bool { original.c_lflag & tcflag_t(ICANON) != 0 }

    /// Shows nothing of what is typed; Ctrl-C and line editing stay.
    func hideInput() {
        var hidden = original
        hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        set(hidden)
    }

    /// Gives every key at once and shows none; Ctrl-C and Ctrl-Z are keys like others.
    func readKeys() {
        var raw = original
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
        set(raw)
    }

    func restore() {
        set(original)
    }

    private func set(_ mode: termios) {
        var mode = mode
        // The call reads the local, which outlives it. TCSADRAIN: what was typed ahead is kept.
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &mode)
    }
}

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
