import CPlatform
import Glibc

/// A pseudoterminal on which a test types keys and reads the output of a program.
package final class PseudoTerminal: Sendable {
    // The module Glibc does not have TIOCSPTLCK and TIOCGPTN.
    private static let lock: UInt = 0x4004_5431
    private static let number: UInt = 0x8004_5430

    /// The side of the user.
    package let person: Int32
    package let program: Int32
    package let programPath: String

    package init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        // The paths are valid during the calls, which do not keep them.
        person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        // The kernel reads and writes the local variables only during the calls.
        guard person >= 0, unsafe ioctl(person, Self.lock, &isLocked) == 0,
            unsafe ioctl(person, Self.number, &number) == 0
        else { throw TestFailure("/dev/ptmx: errno \(platform_errno())") }
        programPath = "/dev/pts/\(number)"
        program = unsafe open(programPath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        // The kernel reads the local variable only during the call.
        guard program >= 0, unsafe ioctl(program, UInt(TIOCSWINSZ), &size) == 0 else {
            throw TestFailure("\(programPath): errno \(platform_errno())")
        }
    }

    deinit {
        close(person)
        close(program)
    }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        // The array is valid during the call.
        _ = unsafe write(person, bytes, bytes.count)
    }

    package func shown(until text: String) throws -> String {
        var shown = ""
        while !shown.contains(text) {
            _ = try Waiting.wait(person, for: Int16(POLLIN), "“\(text)” on a terminal that shows \(shown)")
            var bytes = [UInt8](repeating: 0, count: 4096)
            // The kernel writes at most the length of the array.
            let count = unsafe read(person, &bytes, bytes.count)
            guard count > 0 else { throw TestFailure("the terminal was closed; it shows \(shown)") }
            shown += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return shown
    }

    package var echoes: Bool {
        var mode = termios()
        // The call writes to the local variable, which is valid during the call.
        return unsafe tcgetattr(program, &mode) == 0 && mode.c_lflag & tcflag_t(ECHO) != 0
    }
}
