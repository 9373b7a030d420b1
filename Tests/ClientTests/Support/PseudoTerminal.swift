import Glibc
import Testing

@testable import Client

/// A terminal whose other end a test holds: what it types there comes as keys, what is shown can be read.
final class PseudoTerminal: Sendable {
    /// The person's end.
    let person: Int32
    /// The program's end.
    let program: Int32

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        person = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(person >= 0 && grantpt(person) == 0 && unlockpt(person) == 0)
        var name = [CChar](repeating: 0, count: 64)
        // The array has the places it is said to have; the name lives through the call that opens it.
        try #require(unsafe ptsname_r(person, &name, name.count) == 0)
        program = unsafe open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // The kernel reads the local during the call.
        try #require(unsafe program >= 0 && ioctl(program, UInt(TIOCSWINSZ), &size) == 0)
    }

    deinit {
        close(person)
        close(program)
    }

    func type(_ text: String) {
        Console().write(text, to: person)
    }

    /// Reads what is shown until a text comes; all of it.
    func shown(until text: String) throws -> String {
        var shown = ""
        while !shown.contains(text) {
            guard let bytes = try Transfers.read(person, bytesMax: 4096), !bytes.isEmpty else { break }
            shown += String(decoding: bytes, as: UTF8.self)
        }
        return shown
    }

    /// Whether what is typed is shown.
    var echoes: Bool {
        var mode = termios()
        // The call fills the local, which outlives it.
        return unsafe tcgetattr(program, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }
}
