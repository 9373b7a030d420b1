import Glibc
import Testing

@testable import Client

/// A terminal whose other end a test holds: what it types there comes as keys, what is shown can be read.
final class PseudoTerminal: Sendable {
    // TIOCSPTLCK and TIOCGPTN, which Glibc's module lacks.
    private static let lock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// The person's end.
    let person: Int32
    /// The program's end.
    let program: Int32
    let programPath: String

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        // The paths live through the calls, which keep none of them.
        person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        // The kernel reads and fills the locals during the calls.
        try #require(unsafe ioctl(person, Self.lock, &isLocked) == 0)
        try #require(unsafe ioctl(person, Self.number, &number) == 0)
        programPath = "/dev/pts/\(number)"
        program = unsafe open(programPath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // The kernel reads the local during the call.
        try #require(program >= 0)
        try #require(unsafe ioctl(program, UInt(TIOCSWINSZ), &size) == 0)
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
