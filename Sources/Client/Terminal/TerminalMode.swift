import Glibc

/// How a terminal was set when we found it; whoever changes it puts it back.
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
