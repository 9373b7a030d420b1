import CPlatform
import Glibc

/// The alternate screen of a terminal.
///
/// The terminal is restored even after a crash. A process can use only one alternate screen at a time.
package struct AlternateScreen {
    private static let enterSequence = "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?2004h\u{1B}[?1000h\u{1B}[?1006h"
    private static let leaveSequence =
        "\u{1B}[?2026l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[?2004l\u{1B}[?7h\u{1B}[r\u{1B}[m\u{1B}[?25h\u{1B}[?1049l"

    private let mode: TerminalMode
    private let output: Int32

    package init?(input: Int32, output: Int32) {
        guard let mode = TerminalMode(input) else { return nil }
        self.mode = mode
        self.output = output
    }

    package func enter() {
        var original = mode.original
        let text = Array(Self.leaveSequence.utf8)
        // The call copies the settings and the text.
        _ = unsafe platform_guard_terminal(mode.descriptor, &original, output, text, text.count)
        mode.readKeys()
        write(Array(Self.enterSequence.utf8))
    }

    package func leave() {
        write(Array(Self.leaveSequence.utf8))
        mode.restore()
        platform_unguard_terminal()
    }

    /// Drops the bytes if the terminal was closed.
    package func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The kernel reads within the slice, which is valid during the call.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(output, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if platform_errno() == EAGAIN {
                var polled = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                // The kernel fills `polled` during the call.
                _ = unsafe poll(&polled, 1, -1)
            } else if platform_errno() != EINTR {
                return
            }
        }
    }
}

/// The original settings of a terminal, with methods to change and restore them.
package struct TerminalMode {
    let descriptor: Int32
    let original: termios

    package init?(_ descriptor: Int32) {
        var found = termios()
        // The call fills `found`, which is valid during the call.
        guard unsafe tcgetattr(descriptor, &found) == 0 else { return nil }
        self.descriptor = descriptor
        original = found
    }

    /// False while a program reads single keys.
    package var isReadByLine: Bool { original.c_lflag & tcflag_t(ICANON) != 0 }

    /// Disables echo, but not Ctrl-C and line editing.
    package func hideInput() {
        var hidden = original
        hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        set(hidden)
    }

    /// Passes each key to the program without echo, including Ctrl-C, Ctrl-Z and Ctrl-S.
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
        // The call reads `mode`, which is valid during the call. TCSADRAIN keeps keys that were typed ahead.
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &mode)
    }
}
