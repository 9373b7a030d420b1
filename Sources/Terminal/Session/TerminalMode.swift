import Glibc

/// How a terminal was set when we found it; what changes it puts it back.
package struct TerminalMode {
    let descriptor: Int32
    let original: termios

    /// Nil when there is no terminal.
    package init?(_ descriptor: Int32) {
        var found = termios()
        // The call fills the local, which outlives it.
        guard unsafe tcgetattr(descriptor, &found) == 0 else { return nil }
        self.descriptor = descriptor
        original = found
    }

    /// Whether lines are typed on it as usual; false while some program takes every key, as those do that draw on it.
    package var isReadByLine: Bool { original.c_lflag & tcflag_t(ICANON) != 0 }

    /// Shows nothing of what is typed; Ctrl-C and line editing stay.
    package func hideInput() {
        var hidden = original
        hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        set(hidden)
    }

    /// Gives every key at once and as it is, and shows none; Ctrl-C, Ctrl-Z and Ctrl-S are keys like others.
    package func readKeys() {
        var raw = original
        raw.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(ICRNL | INLCR | IXON)
        set(raw)
    }

    package func restore() {
        set(original)
    }

    private func set(_ mode: termios) {
        var mode = mode
        // The call reads the local, which outlives it. TCSADRAIN: what was typed ahead is kept.
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &mode)
    }
}
