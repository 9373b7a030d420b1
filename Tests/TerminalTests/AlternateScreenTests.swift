import Glibc
import Testing

@testable import Terminal

struct AlternateScreenTests {
    private func terminal() throws -> (person: Int32, path: String) {
        // The numbers are TIOCSPTLCK and TIOCGPTN, which the module Glibc lacks.
        // The path and the locals are valid during the calls.
        let person = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        try #require(unsafe ioctl(person, 0x4004_5431, &isLocked) == 0)
        try #require(unsafe ioctl(person, 0x8004_5430, &number) == 0)
        return (person, "/dev/pts/\(number)")
    }

    private func shown(_ person: Int32) -> String {
        _ = fcntl(person, F_SETFL, O_NONBLOCK)
        var shown = ""
        while true {
            var bytes = [UInt8](repeating: 0, count: 4096)
            // The array is valid during the call. The kernel gets the length of the array.
            let count = unsafe read(person, &bytes, bytes.count)
            guard count > 0 else { break }
            shown += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        return shown
    }

    private func echoes(_ descriptor: Int32) -> Bool { TerminalMode(descriptor)?.isReadByLine ?? false }

    @Test func `leaving the alternate screen restores the terminal`() throws {
        let (person, path) = try terminal()
        // The path is valid during the call.
        let program = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { for descriptor in [person, program] { close(descriptor) } }
        let screen = try #require(AlternateScreen(input: program, output: program))
        screen.enter()
        #expect(!echoes(program))
        screen.leave()
        #expect(echoes(program))
        #expect(shown(person).hasPrefix("\u{1B}[?1049h"))
    }

    @Test func `the terminal is restored after a crash`() async throws {
        let (person, path) = try terminal()
        // This descriptor keeps the terminal alive after the process has ended. The path is valid during the call.
        let program = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { for descriptor in [person, program] { close(descriptor) } }
        await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
            // The path is valid during the call.
            let program = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
            let screen = try #require(AlternateScreen(input: program, output: program))
            screen.enter()
            raise(SIGSEGV)
        }
        #expect(echoes(program))
        #expect(shown(person).hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test func `a descriptor that is not a terminal is refused`() {
        #expect(AlternateScreen(input: -1, output: -1) == nil)
    }
}
