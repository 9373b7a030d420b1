import Glibc
import Synchronization
import TestSupport

@testable import Client
@testable import FullScreen

/// Runs `searchctl` in the test process, and keeps the exit status and the output.
struct Run {
    let status: ExitStatus
    let output: String
    let errors: String

    static let commands = CommandTable.commands + [LiveCommand.command, TopCommand.command]

    var lines: [String] { output.split(separator: "\n").map(String.init) }

    init(
        _ words: String...,
        in directory: TemporaryDirectory,
        socket: String? = nil,
        input: String = "",
        isTerminal: Bool = false,
        interrupt: Int32? = nil,
        environment: [String: String] = ["TERM": "xterm"],
        daemonProgram: String? = "/nonexistent/searchd"
    ) {
        self.init(
            words,
            in: directory,
            socket: socket,
            input: input,
            isTerminal: isTerminal,
            interrupt: interrupt,
            environment: environment,
            daemonProgram: daemonProgram
        )
    }

    init(
        _ words: [String],
        in directory: TemporaryDirectory,
        socket: String? = nil,
        input: String = "",
        isTerminal: Bool = false,
        interrupt: Int32? = nil,
        environment: [String: String] = ["TERM": "xterm"],
        daemonProgram: String? = "/nonexistent/searchd",
        terminal: String? = nil,
        session: String = "",
        trustedUsers: Set<UInt32> = [0, geteuid()]
    ) {
        var console = Console()
        directory.write(input, to: "input")
        console.input = Self.open(directory.file("input"), O_RDONLY)
        console.output = Self.open(directory.file("output"), O_RDWR | O_CREAT | O_TRUNC)
        console.errors = Self.open(directory.file("errors"), O_RDWR | O_CREAT | O_TRUNC)
        console.outputIsTerminal = isTerminal
        console.interrupt = interrupt
        console.terminalName = terminal
        console.session = session
        defer { for descriptor in [console.input, console.output, console.errors] { close(descriptor) } }
        let place = socket.map { ["--socket", $0] } ?? []
        let context = Context(
            console: console,
            commands: Self.commands,
            environment: Environment(environment),
            daemonProgram: daemonProgram,
            trustedUsers: trustedUsers,
            zone: .fixed(hours: 9)
        )
        status = Searchctl.run(place + words, context)
        output = Self.contents(of: console.output)
        errors = Self.contents(of: console.errors)
    }

    /// Runs on a terminal, so that hit numbers refer to the last list of this terminal.
    init(inTerminal words: [String], in directory: TemporaryDirectory, socket: String) {
        self.init(
            words,
            in: directory,
            socket: socket,
            environment: ["TERM": "xterm", "XDG_RUNTIME_DIR": directory.path],
            terminal: "/dev/pts/7"
        )
    }

    private static func open(_ path: String, _ flags: Int32) -> Int32 {
        // The path is valid during the call.
        unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
    }

    private static func contents(of descriptor: Int32) -> String {
        lseek(descriptor, 0, SEEK_SET)
        var bytes: [UInt8] = []
        while let more = try? DescriptorIO.read(descriptor, bytesMax: 1 << 16), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension PseudoTerminal {
    var console: Console {
        var console = Console()
        (console.output, console.errors, console.outputIsTerminal) = (program, program, true)
        return console
    }
}

/// A pipe that closes its descriptors when it is destroyed.
final class Pipe: Sendable {
    let reading: Int32
    let writing: Int32
    private let isWritingClosed = Mutex(false)

    init() {
        var ends: [Int32] = [-1, -1]
        // The array has room for both descriptors.
        _ = unsafe pipe(&ends)
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func closeWriting() {
        isWritingClosed.withLock { isClosed in
            if !isClosed { close(writing) }
            isClosed = true
        }
    }

    func signal() {
        var byte = UInt8(1)
        // The variable is valid during the call.
        _ = unsafe write(writing, &byte, 1)
    }
}
