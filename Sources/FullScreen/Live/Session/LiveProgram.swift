import Client
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Terminal

/// Passes what the terminal and the daemon say to the model, and does what it asks for.
final class LiveProgram: ScreenProgram {
    /// How long a letter that was typed waits to be shown together with what it finds, which is there at once when it
    /// is cached: the time is not noticed, but a list that is dimmed for a moment is.
    private static let answerPatience = Duration.milliseconds(12)
    private static let browserPatience = Duration.milliseconds(300)

    var status: ExitStatus?
    private let context: Context
    /// Starts a daemon of the user's own where none answers.
    private let starter: Connector
    private let finder: Connector
    private var connection: DaemonConnection?
    private var model: LiveModel
    private var hasBegun = false
    /// When the model wants to be woken, and a lost daemon is looked for again.
    private var wakeAt: Instant?
    private var retryAt: Instant?
    private var retryPace = RetryPace()
    /// Until when the screen waits for the first hits of what was typed.
    private var drawAt: Instant?
    /// Nil where no pictures can be shown.
    private var pictureTerminal: PictureTerminal?
    private var drawer: PictureDrawer?
    private var picturesAt: Instant?

    init(
        _ context: Context,
        _ search: LiveSearch,
        _ connection: consuming DaemonConnection,
        starter: Connector,
        finder: Connector
    ) {
        (self.context, self.starter, self.finder) = (context, starter, finder)
        self.connection = consume connection
        model = LiveModel(columns: Console.columnsDefault, rows: 24, search: search, zone: context.zone)
        retryPace.connected(at: .now)
    }

    var polled: [pollfd] {
        let daemon = connection?.polled
        return [daemon].compactMap(\.self) + (drawer?.polled ?? [])
    }

    var dueAt: Instant? {
        [wakeAt, retryAt, drawAt, picturesAt, pictureTerminal?.dueAt, drawer?.dueAt].compactMap(\.self).min()
    }

    func screen() -> Screen? {
        if let drawAt, Instant.now < drawAt, model.awaitsHits { return nil }
        drawAt = nil
        return LiveScreen(model, now: context.now()).screen
    }

    // MARK: Events

    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) throws(ClientError) {
        try take(.resized(columns: columns, rows: rows), runner)
        guard !hasBegun else { return }
        hasBegun = true
        let cell = Console.cellSize(context.console.output)
        pictureTerminal = PictureTerminal(context.environment, runner.capabilities, cell: cell)
        // Asked before the first screen, which paints over what a terminal shows of it.
        if let style = pictureTerminal?.styleUnasked {
            try show(style, runner)
        } else if let question = pictureTerminal?.ask(at: .now) {
            runner.write(question)
        }
        try take(.connected, runner)
    }

    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError) {
        let hasWaited = model.awaitsHits
        try take(.input(input), runner)
        if !hasWaited, model.awaitsHits { drawAt = Instant.now.advanced(by: Self.answerPatience) }
    }

    func received(_ answers: [TerminalAnswer], _ runner: ScreenRunner) throws(ClientError) {
        switch pictureTerminal?.received(answers, at: .now) {
        case .style(let style): try show(style, runner)
        case .again(let question): runner.write(question)
        case .nothing, nil: break
        }
    }

    func proceed(_ runner: ScreenRunner) throws(ClientError) {
        try readDaemon(runner)
        while let drawn = drawer?.move(at: .now), !drawn.isEmpty {
            for (key, picture) in drawn { try take(.drawn(key, picture), runner) }
        }
        let now = Instant.now
        if let due = wakeAt, due <= now {
            wakeAt = nil
            try take(.woken, runner)
        }
        if let due = picturesAt, due <= now {
            picturesAt = nil
            try take(.picturesWoken, runner)
        }
        pictureTerminal?.expire(at: now)
        if let due = retryAt, due <= now { try connect(with: finder, runner) }
    }

    private func show(_ style: PictureStyle, _ runner: ScreenRunner) throws(ClientError) {
        drawer = PictureDrawer(style)
        try take(.picturesShown, runner)
    }

    // MARK: The daemon

    private func readDaemon(_ runner: ScreenRunner) throws(ClientError) {
        do throws(ClientError) {
            guard let moved = try connection?.move() else { return }
            for line in moved.lines { try take(.message(Message.read(line)), runner) }
            if moved.hasEnded { throw Connector.lost }
        } catch {
            try lose(error, runner)
        }
    }

    private func lose(_ error: ClientError, _ runner: ScreenRunner) throws(ClientError) {
        connection = nil
        retryAt = retryPace.failed(at: .now)
        try take(.disconnected(error), runner)
    }

    private func connect(with connector: Connector, _ runner: ScreenRunner) throws(ClientError) {
        do throws(ClientError) {
            connection = try connector.connect()
        } catch {
            retryAt = retryPace.failed(at: .now)
            return
        }
        retryAt = nil
        retryPace.connected(at: .now)
        try take(.connected, runner)
    }

    // MARK: Effects

    private func take(_ event: LiveEvent, _ runner: ScreenRunner) throws(ClientError) {
        for effect in model.received(event) {
            switch effect {
            case .send(let id, let method, let params):
                do throws(ClientError) {
                    try connection?.send(line: RequestLine.request(id, method, params: params))
                } catch {
                    try lose(error, runner)
                }
            case .cancel(let id): connection?.cancel(id)
            case .open(let address): try take(open(address, runner), runner)
            case .copy(let text): runner.write(Clipboard.sequence(text))
            case .wake(let milliseconds): wakeAt = Instant.now.advanced(by: .milliseconds(milliseconds))
            case .wakePictures(let milliseconds):
                picturesAt = Instant.now.advanced(by: .milliseconds(milliseconds))
            case .draw(let key, let bytes): drawer?.add(key, bytes)
            case .connect where connection == nil:
                try connect(with: starter, runner)
                // What was started may have said something.
                runner.redraw()
            case .connect: break
            case .redraw: runner.redraw()
            case .suspend: try runner.suspend(self)
            case .quit(let status): self.status = status
            }
        }
    }

    private func open(_ address: String, _ runner: ScreenRunner) -> LiveEvent {
        do throws(ClientError) {
            let browser = try Browser(context.environment, hasTerminal: true)
            guard browser.takesTerminal(context.environment) else {
                // The path lives through the call.
                let nothing = FileDescriptor(owning: unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC))
                try browser.open(address, errors: nothing.raw, patience: Self.browserPatience)
                return .done("opened \(VisibleText.visible(ReadableAddress.short(address)))")
            }
            try runner.lend { () throws(ClientError) in try browser.open(address) }
            return .done("")
        } catch {
            return .failed(error)
        }
    }
}

/// When a lost daemon is looked for again: soon, and ever later while none comes or stays; pure.
struct RetryPace {
    static let shortest = Duration.milliseconds(250)
    static let longest = Duration.seconds(4)
    /// A connection that lasted as long was a good one.
    static let stay = Duration.seconds(5)

    private var pause = shortest
    private var connectedAt: Instant?

    mutating func connected(at now: Instant) { connectedAt = now }

    /// There is no connection, or no longer; when to try again.
    mutating func failed(at now: Instant) -> Instant {
        if let connectedAt, connectedAt.duration(to: now) >= Self.stay { pause = Self.shortest }
        connectedAt = nil
        defer { pause = min(pause * 2, Self.longest) }
        return now.advanced(by: pause)
    }
}

/// The terminal's clipboard (OSC 52).
enum Clipboard {
    /// Of more, terminals take nothing.
    static let bytesMax = 64 << 10

    static func sequence(_ text: String) -> [UInt8] {
        Array("\u{1B}]52;c;".utf8) + Base64.text(of: Array(text.utf8.prefix(bytesMax))) + [0x07]
    }
}
