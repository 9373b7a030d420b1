import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel
import Terminal

/// Lets the model hear the terminal and the daemon, and does what it asks for; the only part of `live` that waits.
///
/// When nothing happens it sleeps without end: there is no tick.
struct LiveShell {
    private static let readBytesMax = 16 << 10
    /// How long a letter that was typed waits to be shown together with what it finds, which is there at once when it
    /// is cached: the time is not noticed, but a list that is dimmed for a moment is.
    private static let answerPatience = Duration.milliseconds(12)
    private static let browserPatience = Duration.milliseconds(300)

    private let context: Context
    /// Starts one of the user's own where none answers.
    private let starter: Connector
    private let finder: Connector
    private let screen: FullScreen
    private let capabilities: Capabilities

    init(_ context: Context, _ starter: Connector, _ finder: Connector, _ terminal: DrawingTerminal) {
        self.context = context
        self.starter = starter
        self.finder = finder
        screen = terminal.screen
        capabilities = terminal.capabilities
    }

    /// Runs until the user quits; the terminal is then as it was.
    func run(_ search: LiveSearch, _ connection: consuming DaemonConnection) throws(ClientError) -> ExitStatus {
        var run = Run(
            connection: connection,
            painter: Painter(capabilities),
            size: size,
            search: search,
            zone: context.zone
        )
        run.retryPace.connected(at: .now)
        let signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT])
        defer { signals.end() }
        screen.take()
        defer { screen.giveBack() }
        try askForPictures(&run, signals)
        try perform(run.model.received(.connected), &run, signals)
        while run.status == nil {
            try drawPictures(&run, signals)
            if !run.isWorthWaiting(at: .now) { draw(&run) }
            try wait(&run, signals)
        }
        screen.write(run.painter.release())
        return run.status ?? .found
    }

    /// What changes while it runs.
    private struct Run: ~Copyable {
        var connection: DaemonConnection?
        var painter: Painter
        var model: LiveModel
        var decoder = InputDecoder()
        var status: ExitStatus?
        /// When the bytes of an unfinished key count as they are; when the model wants to be woken.
        var keyDueAt: Instant?
        var wakeAt: Instant?
        var retryAt: Instant?
        /// Until when the screen waits for the first hits of what was typed.
        var drawAt: Instant?
        var retryPace = RetryPace()
        /// Nil where no pictures can be shown.
        var pictureTerminal: PictureTerminal?
        var drawer: PictureDrawer?
        var picturesAt: Instant?

        init(
            connection: consuming DaemonConnection,
            painter: Painter,
            size: (columns: Int, rows: Int),
            search: LiveSearch,
            zone: LocalZone
        ) {
            self.connection = consume connection
            self.painter = painter
            model = LiveModel(columns: size.columns, rows: size.rows, search: search, zone: zone)
        }

        var dueAt: Instant? {
            [keyDueAt, wakeAt, retryAt, drawAt, picturesAt, pictureTerminal?.dueAt, drawer?.dueAt].compactMap(\.self)
                .min()
        }

        /// Whether the screen is drawn later, with the hits that are about to come.
        mutating func isWorthWaiting(at now: Instant) -> Bool {
            if let drawAt, now < drawAt, model.awaitsHits { return true }
            drawAt = nil
            return false
        }
    }

    private var size: (columns: Int, rows: Int) {
        Console.terminalSize(context.console.output) ?? (Console.columnsDefault, 24)
    }

    private func draw(_ run: inout Run) {
        let bytes = run.painter.bytes(for: LiveScreen(run.model, now: context.now()).screen)
        if !bytes.isEmpty { screen.write(bytes) }
    }

    // MARK: Waiting

    private func wait(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        let none = pollfd(fd: -1, events: 0, revents: 0)
        var polled = [
            pollfd(fd: context.console.input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
            run.connection?.polled ?? none,
        ]
        polled += run.drawer?.polled ?? []
        // The kernel fills the array, whose length is given, during the call.
        let count = unsafe poll(&polled, nfds_t(polled.count), run.dueAt?.pollTimeout(from: .now) ?? -1)
        if count < 0 {
            let number = platform_errno()
            if number == EINTR { return }
            throw ClientError(SystemError(call: "poll", number: number))
        }
        if polled[1].revents != 0 { try heed(signals, &run) }
        if polled[0].revents != 0 { try readKeys(&run, signals) }
        if polled[2].revents != 0 { try readDaemon(&run, signals) }
        try heedTime(&run, signals)
    }

    private func heed(_ signals: SignalInput, _ run: inout Run) throws(ClientError) {
        while let signal = signals.next() {
            switch signal {
            case SIGWINCH:
                let size = size
                let effects = run.model.received(.resized(columns: size.columns, rows: size.rows))
                try perform(effects, &run, signals)
            case SIGTSTP: suspend(&run, signals)
            case SIGCONT: resume(&run)
            default: run.status = .interrupted
            }
        }
    }

    private func readKeys(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        let bytes: [UInt8]
        do throws(ClientError) {
            guard let read = try Transfers.read(context.console.input, bytesMax: Self.readBytesMax) else { return }
            bytes = read
        } catch {
            bytes = []
        }
        // The end, or an error: the terminal has gone.
        guard !bytes.isEmpty else { return run.status = .interrupted }
        let hasWaited = run.model.awaitsHits
        for event in run.decoder.received(bytes) { try perform(run.model.received(.input(event)), &run, signals) }
        switch run.pictureTerminal?.received(run.decoder.takeAnswers(), at: .now) {
        case .style(let style): try show(style, &run, signals)
        case .again(let question): screen.write(question)
        case .nothing, nil: break
        }
        if !hasWaited, run.model.awaitsHits { run.drawAt = Instant.now.advanced(by: Self.answerPatience) }
        run.keyDueAt = run.decoder.patience.map { Instant.now.advanced(by: .milliseconds($0)) }
    }

    private func readDaemon(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        do throws(ClientError) {
            guard let moved = try run.connection?.move() else { return }
            for line in moved.lines { try perform(run.model.received(.message(Message.read(line))), &run, signals) }
            if moved.hasEnded { throw Connector.lost }
        } catch {
            try lose(error, &run, signals)
        }
    }

    private func lose(_ error: ClientError, _ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        run.connection = nil
        run.retryAt = run.retryPace.failed(at: .now)
        try perform(run.model.received(.disconnected(error)), &run, signals)
    }

    private func heedTime(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        let now = Instant.now
        if let due = run.keyDueAt, due <= now {
            run.keyDueAt = nil
            for event in run.decoder.timedOut() { try perform(run.model.received(.input(event)), &run, signals) }
        }
        if let due = run.wakeAt, due <= now {
            run.wakeAt = nil
            try perform(run.model.received(.woken), &run, signals)
        }
        if let due = run.picturesAt, due <= now {
            run.picturesAt = nil
            try perform(run.model.received(.picturesWoken), &run, signals)
        }
        run.pictureTerminal?.expire(at: now)
        if let due = run.retryAt, due <= now { try connect(with: finder, &run, signals) }
    }

    private func connect(with connector: Connector, _ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        do throws(ClientError) {
            run.connection = try connector.connect()
        } catch {
            run.retryAt = run.retryPace.failed(at: .now)
            return
        }
        run.retryAt = nil
        run.retryPace.connected(at: .now)
        try perform(run.model.received(.connected), &run, signals)
    }

    // MARK: Pictures

    /// Written before the first screen, which is not held up by it: what a terminal shows of it is painted over.
    private func askForPictures(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        let cell = Console.cellSize(context.console.output)
        run.pictureTerminal = PictureTerminal(context.environment, capabilities, cell: cell)
        if let style = run.pictureTerminal?.styleUnasked { return try show(style, &run, signals) }
        if let question = run.pictureTerminal?.ask(at: .now) { screen.write(question) }
    }

    private func show(_ style: PictureStyle, _ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        run.drawer = PictureDrawer(style)
        try perform(run.model.received(.picturesShown), &run, signals)
    }

    /// Goes on with what is being drawn.
    private func drawPictures(_ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        while let drawn = run.drawer?.move(at: .now), !drawn.isEmpty {
            for (key, picture) in drawn { try perform(run.model.received(.drawn(key, picture)), &run, signals) }
        }
    }

    // MARK: Doing

    private func perform(_ effects: [LiveEffect], _ run: inout Run, _ signals: SignalInput) throws(ClientError) {
        for effect in effects {
            switch effect {
            case .send(let id, let method, let params):
                do throws(ClientError) {
                    try run.connection?.send(line: RequestLine.request(id, method, params: params))
                } catch {
                    try lose(error, &run, signals)
                }
            case .cancel(let id): run.connection?.cancel(id)
            case .open(let address): try perform(run.model.received(open(address, &run)), &run, signals)
            case .copy(let text): screen.write(Clipboard.sequence(text))
            case .wake(let milliseconds): run.wakeAt = Instant.now.advanced(by: .milliseconds(milliseconds))
            case .wakePictures(let milliseconds):
                run.picturesAt = Instant.now.advanced(by: .milliseconds(milliseconds))
            case .draw(let key, let bytes): run.drawer?.add(key, bytes)
            case .connect:
                guard run.connection == nil else { continue }
                try connect(with: starter, &run, signals)
                // What was started may have said something.
                run.painter.forget()
            case .redraw: run.painter.forget()
            case .suspend: suspend(&run, signals)
            case .quit(let status): run.status = status
            }
        }
    }

    private func open(_ address: String, _ run: inout Run) -> LiveEvent {
        do throws(ClientError) {
            let browser = try Browser(context.environment, hasTerminal: true)
            guard browser.takesTerminal(context.environment) else {
                // The path lives through the call.
                let nothing = FileDescriptor(owning: unsafe Glibc.open("/dev/null", O_WRONLY | O_CLOEXEC))
                try browser.open(address, errors: nothing.raw, patience: Self.browserPatience)
                return .done("opened \(VisibleText.visible(ReadableAddress.short(address)))")
            }
            screen.write(run.painter.release())
            screen.giveBack()
            defer {
                screen.take()
                run.painter.forget()
            }
            try browser.open(address)
            return .done("")
        } catch {
            return .failed(error)
        }
    }

    /// Stops as any program does, and goes on where it was.
    private func suspend(_ run: inout Run, _ signals: SignalInput) {
        screen.write(run.painter.release())
        screen.giveBack()
        signals.deliver(SIGTSTP)
        resume(&run)
    }

    /// Takes the screen again and draws all of it, at the size that it has now.
    private func resume(_ run: inout Run) {
        screen.take()
        run.painter.forget()
        let size = size
        _ = run.model.received(.resized(columns: size.columns, rows: size.rows))
    }
}

/// When a daemon that has gone is looked for again: soon, and ever later while none comes or stays; pure.
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
