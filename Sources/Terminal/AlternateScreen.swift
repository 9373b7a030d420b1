import CPlatform
import Glibc

/// The whole screen of a terminal, with its keys, its mouse and its pastes, taken and given back.
///
/// While it is taken, a crash gives it back, too; only a signal that no program can hear does not. A process takes one
/// at a time.
package struct AlternateScreen {
    private static let taking = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
    private static let givingBack =
        "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[r\u{1B}[m\u{1B}[?25h\u{1B}[?1049l"

    private let mode: TerminalMode
    private let output: Int32

    /// Nil when no terminal is read.
    package init?(input: Int32, output: Int32) {
        guard let mode = TerminalMode(input) else { return nil }
        self.mode = mode
        self.output = output
    }

    package func take() {
        var original = mode.original
        let text = Array(Self.givingBack.utf8)
        // The call copies the settings and the text.
        _ = unsafe platform_guard_terminal(mode.descriptor, &original, output, text, text.count)
        mode.readKeys()
        write(Array(Self.taking.utf8))
    }

    package func giveBack() {
        write(Array(Self.givingBack.utf8))
        mode.restore()
        platform_unguard_terminal()
    }

    /// Writes all of it; what a terminal that has gone does not take is lost.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The kernel reads within the slice, which lives through the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if platform_errno() == EAGAIN {
                var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                // The kernel fills the local during the call.
                _ = unsafe poll(&polled, 1, -1)
            } else if platform_errno() != EINTR {
                return
            }
        }
    }
}

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
