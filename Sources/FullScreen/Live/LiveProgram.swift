import Client
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Terminal

/// Passes events of the terminal and the daemon to `LiveModel`, and performs the effects that the model returns.
final class LiveProgram: ScreenProgram {
    private static let browserPatience = Duration.milliseconds(300)
    private static let retryPause = Duration.seconds(1)

    var status: ExitStatus?
    private let context: Context
    private let starter: Connector
    private let finder: Connector
    private var connection: DaemonConnection?
    private var model: LiveModel
    private var hasBegun = false
    private var restAt: Instant?
    private var retryAt: Instant?
    /// Before the ping: when to ping a daemon that has not answered.
    ///
    /// After the ping: when to report that the daemon is silent.
    private var silentAt: Instant?
    private var hasPinged = false
    /// Nil if the drawing program is not installed.
    private var pictureTerminal: PictureTerminal?
    private var drawer: PictureDrawer?

    init(
        _ context: Context,
        _ model: LiveModel,
        _ connection: consuming DaemonConnection,
        starter: Connector,
        finder: Connector
    ) {
        (self.context, self.model, self.starter, self.finder) = (context, model, starter, finder)
        self.connection = consume connection
    }

    var polled: [pollfd] { [connection?.polled].compactMap(\.self) + (drawer?.polled ?? []) }

    var dueAt: Instant? {
        [restAt, retryAt, silentAt, drawer?.dueAt].compactMap(\.self).min()
    }

    var screen: Screen { LiveScreen(model).screen }

    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) throws(ClientError) {
        try handle(.resized(columns: columns, rows: rows), runner)
        guard !hasBegun else { return }
        hasBegun = true
        let cell = Console.cellSize(context.console.output)
        pictureTerminal = PictureTerminal(context.environment, runner.capabilities, cell: cell)
        if !GraphicsQuery.canBeSent({ context.environment[$0] }) {
            try showPictures(pictureTerminal?.style(.symbols), runner)
        } else if let query = pictureTerminal?.ask(at: .now) {
            // An old terminal may show the query as text. The first screen covers this text.
            runner.write(query)
        }
        try handle(.connected(isAgain: false), runner)
    }

    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError) {
        try handle(.input(input), runner)
    }

    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError) {
        try showPictures(pictureTerminal?.receive(answers, at: .now), runner)
    }

    func proceed(_ runner: ScreenRunner) throws(ClientError) {
        try readDaemon(runner)
        while let drawn = drawer?.move(at: .now), !drawn.isEmpty {
            for (key, picture) in drawn { try handle(.drawn(key, picture), runner) }
        }
        let now = Instant.now
        if let due = restAt, due <= now {
            restAt = nil
            try handle(.rested, runner)
        }
        if let due = retryAt, due <= now { try connect(with: finder, runner) }
    }

    private func showPictures(_ style: PictureStyle?, _ runner: ScreenRunner) throws(ClientError) {
        guard let style else { return }
        drawer = PictureDrawer(style)
        try handle(.picturesShown, runner)
    }

    private func readDaemon(_ runner: ScreenRunner) throws(ClientError) {
        do throws(ClientError) {
            guard let moved = try connection?.move() else { return }
            for line in moved.lines { try handle(.message(Message.read(line)), runner) }
            if moved.hasEnded { throw Connector.lost }
            if !moved.lines.isEmpty { expectAnswer(model.isWaiting) }
            if let due = silentAt, due <= .now { try checkSilence(runner) }
        } catch {
            try lose(runner)
        }
    }

    private func expectAnswer(_ isExpected: Bool) {
        (silentAt, hasPinged) = (isExpected ? Instant.now.advanced(by: DaemonConnection.silenceMaxDefault) : nil, false)
    }

    private func checkSilence(_ runner: ScreenRunner) throws(ClientError) {
        guard hasPinged else {
            // The model ignores the answer, because none of its requests has the id 0.
            try connection?.send(line: RequestLine.request(0, .ping))
            expectAnswer(true)
            return hasPinged = true
        }
        silentAt = nil
        if let silence = connection?.silence { try handle(.silent(silence.sentence), runner) }
    }

    private func lose(_ runner: ScreenRunner) throws(ClientError) {
        connection = nil
        expectAnswer(false)
        retryAt = Instant.now.advanced(by: Self.retryPause)
        try handle(.disconnected, runner)
    }

    private func connect(with connector: Connector, _ runner: ScreenRunner) throws(ClientError) {
        do throws(ClientError) {
            connection = try connector.connect()
        } catch {
            return retryAt = Instant.now.advanced(by: Self.retryPause)
        }
        retryAt = nil
        try handle(.connected(isAgain: true), runner)
    }

    private func handle(_ event: LiveEvent, _ runner: ScreenRunner) throws(ClientError) {
        for effect in model.handle(event) {
            switch effect {
            case .send(let id, let method, let params):
                do throws(ClientError) {
                    try connection?.send(line: RequestLine.request(id, method, params: params))
                    if silentAt == nil { expectAnswer(true) }
                } catch {
                    return try lose(runner)
                }
            case .cancel(let id): connection?.cancel(id)
            case .open(let address): try handle(open(address, runner), runner)
            case .read(let address): try handle(read(address, runner), runner)
            case .copy(let text): runner.write(Clipboard.sequence(text))
            case .wake: restAt = Instant.now.advanced(by: LiveModel.restTime)
            case .draw(let key, let bytes): drawer?.add(key, bytes)
            case .connect where connection == nil:
                try connect(with: starter, runner)
                // A daemon that was just started may have written to the terminal.
                runner.redraw()
            case .connect: break
            case .redraw: runner.redraw()
            case .suspend: try runner.suspend(self)
            case .quit(let status): self.status = status
            }
        }
    }

    private func read(_ address: String, _ runner: ScreenRunner) -> LiveEvent {
        do throws(ClientError) {
            try runner.lend { () throws(ClientError) in try PageViewer.show(address, finder, context) }
            return .done("")
        } catch {
            return .done(error.sentence, isBad: true)
        }
    }

    private func open(_ address: String, _ runner: ScreenRunner) -> LiveEvent {
        do throws(ClientError) {
            let browser = try Browser(context.environment, hasTerminal: true)
            guard browser.takesTerminal(context.environment) else {
                // The path is valid during the call.
                let nothing = FileDescriptor(owning: unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC))
                try browser.open(address, errors: nothing.raw, patience: Self.browserPatience)
                return .done("opened \(VisibleText.visible(ReadableAddress.short(address)))")
            }
            try runner.lend { () throws(ClientError) in try browser.open(address) }
            return .done("")
        } catch {
            return .done(error.sentence, isBad: true)
        }
    }
}

/// The clipboard of the terminal (OSC 52).
enum Clipboard {
    static let bytesMax = 64 << 10

    static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + Base64.text(of: Array(text.utf8.prefix(bytesMax))) + [0x07]
    }
}
