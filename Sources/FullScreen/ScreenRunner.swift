import CPlatform
import Client
import EventLoop
import Glibc
import SearchModel
import Terminal

/// Something on the whole screen: it says what is shown, and takes what happens; the runner waits for both.
protocol ScreenProgram: AnyObject {
    /// Ends the program once it is set.
    var status: ExitStatus? { get set }
    /// What poll(2) has to wait for besides keys and signals.
    var polled: [pollfd] { get }
    /// When `proceed` is called at the latest; nil for no time.
    var dueAt: Instant? { get }

    /// The screen is taken, or has another size.
    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) throws(ClientError)
    /// What is shown now; nil while a better screen is about to come.
    func screen() -> Screen?
    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError)
    /// What the terminal has said of itself.
    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError)
    /// Does what can be done without waiting; called after each wait.
    func proceed(_ runner: ScreenRunner) throws(ClientError)
}

extension ScreenProgram {
    var polled: [pollfd] { [] }

    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError) {}
}

/// Runs a program on the whole screen: keys, signals, sizes, suspending, and the terminal as it was before.
///
/// When nothing happens it sleeps without end: there is no tick.
final class ScreenRunner {
    private static let readBytesMax = 16 << 10
    private static let usualSize = (columns: Console.columnsDefault, rows: 24)

    let capabilities: Capabilities
    let console: Console
    private let screen: AlternateScreen
    private let signals: SignalInput
    private var painter: Painter
    private var decoder = InputDecoder()
    /// When the bytes of an unfinished key count as they are.
    private var keyDueAt: Instant?

    /// - Throws: `usage` where nothing can be drawn: in a pipe, or on a dumb terminal.
    init(_ name: String, _ arguments: Arguments, _ context: Context, hint: String) throws(ClientError) {
        console = context.console
        let found = Capabilities { context.environment[$0] }
        guard console.outputIsTerminal, found.canDraw,
            let screen = AlternateScreen(input: console.input, output: console.output)
        else { throw ClientError(.usage, "“\(name)” needs a terminal on which it can draw", hint: hint) }
        self.screen = screen
        let isColoured = Style(arguments, environment: context.environment, isTerminal: true).isOn
        capabilities = Capabilities(
            hasColours: isColoured && found.hasColours,
            colours: found.colours,
            isUTF8: found.isUTF8
        )
        painter = Painter(capabilities)
        signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
    }

    deinit { signals.end() }

    /// Runs until the program ends; the terminal is then as it was.
    func run(_ program: some ScreenProgram) throws(ClientError) -> ExitStatus {
        screen.take()
        defer { screen.giveBack() }
        try resize(program)
        while true {
            try program.proceed(self)
            if let status = program.status {
                write(painter.release())
                return status
            }
            if let next = program.screen() { write(painter.bytes(for: next)) }
            try wait(program)
        }
    }

    // MARK: For the program

    /// Writes all of it, past the painter.
    func write(_ bytes: [UInt8]) {
        if !bytes.isEmpty { screen.write(bytes) }
    }

    /// The next screen is drawn from nothing: something else may have written.
    func redraw() { painter.forget() }

    /// Gives the terminal to another program while `body` runs.
    func lend<Result>(_ body: () throws(ClientError) -> Result) throws(ClientError) -> Result {
        write(painter.release())
        screen.giveBack()
        defer {
            screen.take()
            painter.forget()
        }
        return try body()
    }

    /// Stops as any program does, and continues where it was.
    func suspend(_ program: some ScreenProgram) throws(ClientError) {
        try lend { () throws(ClientError) in signals.deliver(SIGTSTP) }
        try resize(program)
    }

    // MARK: Waiting

    private func resize(_ program: some ScreenProgram) throws(ClientError) {
        let size = Console.terminalSize(console.output) ?? Self.usualSize
        try program.resized(columns: size.columns, rows: size.rows, self)
    }

    private func wait(_ program: some ScreenProgram) throws(ClientError) {
        var polled = [console.input, signals.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        polled += program.polled
        let dueAt = [keyDueAt, program.dueAt].compactMap(\.self).min()
        // The kernel fills the array, whose length is given, during the call.
        let count = unsafe poll(&polled, nfds_t(polled.count), dueAt?.pollTimeout(from: .now) ?? -1)
        if count < 0 {
            let number = platform_errno()
            if number == EINTR { return }
            throw ClientError(SystemError(call: "poll", number: number))
        }
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
                screen.take()
                painter.forget()
                try resize(program)
            default: program.status = .interrupted
            }
        }
    }

    private func readKeys(_ program: some ScreenProgram) throws(ClientError) {
        // The end, or an error: the terminal has gone.
        guard let bytes = try? Transfers.read(console.input, bytesMax: Self.readBytesMax) ?? [0], !bytes.isEmpty else {
            program.status = .interrupted
            return
        }
        for event in decoder.received(bytes) { try program.received(event, self) }
        let answers = decoder.takeAnswers()
        if !answers.isEmpty { try program.received(answers, self) }
        keyDueAt = decoder.patience.map { Instant.now.advanced(by: .milliseconds($0)) }
    }
}
