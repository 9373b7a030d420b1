import CPlatform
import Client
import EventLoop
import Glibc
import SearchModel
import Terminal

/// A full-screen program, which handles events and draws screens.
protocol ScreenProgram: AnyObject {
    /// If this is set, the program ends with this exit status.
    var status: ExitStatus? { get set }
    /// The descriptors to wait for with poll(2), in addition to keys and signals.
    var polled: [pollfd] { get }
    /// The latest time at which to call `proceed`, or nil for no limit.
    var dueAt: Instant? { get }

    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) throws(ClientError)
    var screen: Screen { get }
    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError)
    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError)
    /// Called after each wait. Must not block.
    func proceed(_ runner: ScreenRunner) throws(ClientError)
}

extension ScreenProgram {
    var polled: [pollfd] { [] }

    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError) {}
}

/// Runs a full-screen program: reads keys, handles signals, and restores the terminal.
final class ScreenRunner {
    static let rowsDefault = 24
    private static let readBytesMax = 16 << 10

    let capabilities: Capabilities
    private let console: Console
    private let screen: AlternateScreen
    private let signals: SignalInput
    private var painter: Painter
    private var decoder = InputDecoder()
    private var keyDueAt: Instant?

    init(_ name: String, _ context: Context, hint: String) throws(ClientError) {
        console = context.console
        let found = Capabilities { context.environment[$0] }
        guard console.outputIsTerminal, found.canDraw,
            let screen = AlternateScreen(input: console.input, output: console.output)
        else { throw ClientError(.usage, "“\(name)” needs a terminal that can move the cursor", hint: hint) }
        self.screen = screen
        let isColoured = context.style.isOn
        capabilities = Capabilities(
            hasColours: isColoured && found.hasColours,
            colours: found.colours,
            isUTF8: found.isUTF8
        )
        painter = Painter(capabilities)
        signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
    }

    deinit { signals.end() }

    func run(_ program: some ScreenProgram) throws(ClientError) -> ExitStatus {
        screen.enter()
        defer { screen.leave() }
        try resize(program)
        while true {
            try program.proceed(self)
            if let status = program.status {
                write(painter.release())
                return status
            }
            write(painter.bytes(for: program.screen))
            try wait(program)
        }
    }

    /// The bytes must not change the visible screen.
    func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { screen.write(bytes) }
    }

    func redraw() { painter.forget() }

    func lend<Result>(_ body: () throws(ClientError) -> Result) throws(ClientError) -> Result {
        write(painter.release())
        screen.leave()
        defer {
            screen.enter()
            painter.forget()
        }
        return try body()
    }

    func suspend(_ program: some ScreenProgram) throws(ClientError) {
        try lend { () throws(ClientError) in signals.deliver(SIGTSTP) }
        try resize(program)
    }

    private func resize(_ program: some ScreenProgram) throws(ClientError) {
        let size = Console.terminalSize(console.output) ?? (Console.columnsDefault, Self.rowsDefault)
        try program.resized(columns: size.columns, rows: size.rows, self)
    }

    private func wait(_ program: some ScreenProgram) throws(ClientError) {
        var polled = [console.input, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        polled += program.polled
        let dueAt = [keyDueAt, program.dueAt].compactMap(\.self).min()
        guard try DescriptorIO.poll(&polled, until: dueAt) != nil else { return }
        if polled[1].revents != 0 { try handleSignals(program) }
        if polled[0].revents != 0 { try readKeys(program) }
        if let due = keyDueAt, due <= .now {
            keyDueAt = nil
            for event in decoder.timedOut() { try program.received(event, self) }
        }
    }

    private func handleSignals(_ program: some ScreenProgram) throws(ClientError) {
        while let signal = signals.next() {
            switch signal {
            case SIGWINCH: try resize(program)
            case SIGTSTP: try suspend(program)
            case SIGCONT:
                screen.enter()
                painter.forget()
                try resize(program)
            default: program.status = .interrupted
            }
        }
    }

    private func readKeys(_ program: some ScreenProgram) throws(ClientError) {
        guard let bytes = try? DescriptorIO.read(console.input, bytesMax: Self.readBytesMax) ?? [0], !bytes.isEmpty
        else {
            program.status = .interrupted
            return
        }
        for event in decoder.received(bytes) { try program.received(event, self) }
        let answers = decoder.takeAnswers()
        if !answers.isEmpty { try program.received(answers, self) }
        keyDueAt = decoder.patience.map { Instant.now.advanced(by: .milliseconds($0)) }
    }
}

/// A descriptor that becomes readable when a signal arrives.
///
/// The signals are blocked until `end`.
struct SignalInput {
    let descriptor: Int32
    private let signals: [Int32]

    init(_ signals: [Int32]) throws(ClientError) {
        self.signals = signals
        // The array has as many numbers as the call reads, and is valid during the call.
        descriptor = unsafe platform_signal_descriptor(signals, Int32(signals.count))
        guard descriptor >= 0 else { throw ClientError(SystemError(call: "signalfd", number: platform_errno())) }
    }

    /// Gives a signal its default effect, such as stopping this process for SIGTSTP.
    func deliver(_ signal: Int32) {
        // The signal stays pending, because it is blocked. The kernel delivers it before the unblocking call returns.
        kill(getpid(), signal)
        _ = unsafe platform_unblock_signals([signal], 1)
        _ = unsafe platform_block_signals([signal], 1)
    }

    func end() {
        close(descriptor)
        // The array has as many numbers as the call reads, and is valid during the call.
        _ = unsafe platform_unblock_signals(signals, Int32(signals.count))
    }

    func next() -> Int32? {
        let signal = platform_next_signal(descriptor)
        return signal > 0 ? signal : nil
    }
}
