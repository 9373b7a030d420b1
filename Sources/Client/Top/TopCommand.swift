import CPlatform
import EventLoop
import Glibc
import SearchModel
import Terminal

/// `searchctl top`: the daemon live, on the whole screen.
struct TopCommand {
    static let refreshSeconds = 1

    private let context: Context
    private let signals: SignalInput
    private let fullScreen: FullScreen

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        guard let terminal = DrawingTerminal(arguments, context) else {
            throw ClientError(
                .usage,
                "“top” needs a terminal",
                hint: "Use “searchctl status”, or “searchctl status --json” in programs."
            )
        }
        let screen = terminal.screen
        let signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
        defer { signals.end() }
        let command = TopCommand(context: context, signals: signals, fullScreen: screen)
        // Requested before the screen is switched, so that an error stays visible.
        var feed = try TopFeed(Connector(arguments, context))
        var view = View(
            history: TopHistory(try feed.next(now: context.now())),
            painter: Painter(terminal.capabilities)
        )
        screen.take()
        defer { screen.giveBack() }
        return try command.show(&view, &feed)
    }

    /// What is shown, and how far it is scrolled.
    private struct View {
        var history: TopHistory
        var painter: Painter
        var decoder = InputDecoder()
        var firstLine = 0
    }

    /// Draws, waits and refreshes until the user quits.
    private func show(_ view: inout View, _ feed: inout TopFeed) throws(ClientError) -> ExitStatus {
        while true {
            let refresh = Instant.now.advanced(by: .seconds(Self.refreshSeconds))
            draw(&view)
            wait: while true {
                switch try event(until: refresh, &view.decoder) {
                case .nothing: break wait
                case .resized: break
                case .suspended: suspend(&view)
                case .keys(let keys):
                    for key in keys {
                        if key == .quit { return .found }
                        if key == .interrupt { return .interrupted }
                        if key == .suspend { suspend(&view) }
                        view.firstLine = screen(view).firstLine(after: key)
                    }
                case .ended: return .interrupted
                }
                draw(&view)
            }
            view.history.add(try feed.next(now: context.now()))
        }
    }

    private func screen(_ view: View) -> TopScreen {
        let size = Console.terminalSize(context.console.output) ?? (columns: Console.columnsDefault, rows: 24)
        return TopScreen(view.history, columns: size.columns, rows: size.rows, firstLine: view.firstLine)
    }

    private func draw(_ view: inout View) {
        let screen = screen(view)
        // The terminal may have become larger, or the list shorter.
        view.firstLine = screen.firstLine
        fullScreen.write(view.painter.bytes(for: screen.screen))
    }

    private func suspend(_ view: inout View) {
        fullScreen.giveBack()
        signals.deliver(SIGTSTP)
        fullScreen.take()
        view.painter.forget()
    }

    private enum Event {
        case nothing
        case resized
        case suspended
        case keys([TopKey])
        /// The user quits, or a signal asks for it.
        case ended
    }

    /// What happens first until an instant.
    private func event(until deadline: Instant, _ decoder: inout InputDecoder) throws(ClientError) -> Event {
        while true {
            let due = decoder.patience.map { Instant.now.advanced(by: .milliseconds($0)) } ?? deadline
            let ready = try Transfers.wait(for: context.console.input, signals.descriptor, until: min(due, deadline))
            guard ready.contains(true) else {
                _ = decoder.timedOut()
                if Instant.now < deadline { continue }
                return .nothing
            }
            if ready[1], let signal = signals.next() {
                return signal == SIGWINCH ? .resized : signal == SIGTSTP ? .suspended : .ended
            }
            guard ready[0] else { continue }
            // End of file or an error: the terminal has gone.
            guard let bytes = try? Transfers.read(context.console.input, bytesMax: 64) else { return .ended }
            if bytes.isEmpty { return .ended }
            return .keys(decoder.received(bytes).compactMap(TopKey.init))
        }
    }
}

/// What a key of `top` asks for.
enum TopKey: Equatable {
    case lines(Int)
    case pages(Int)
    case start
    case end
    case suspend
    case quit
    case interrupt

    private static let table: [(input: InputEvent, key: TopKey)] = [
        (.key(Key(.up)), .lines(-1)), (.text("k"), .lines(-1)), (.key(Key(.down)), .lines(1)), (.text("j"), .lines(1)),
        (.key(Key(.pageUp)), .pages(-1)), (.text("b"), .pages(-1)),
        (.key(Key(.pageDown)), .pages(1)), (.text(" "), .pages(1)),
        (.key(Key(.home)), .start), (.text("g"), .start), (.key(Key(.end)), .end), (.text("G"), .end),
        (.text("q"), .quit), (.text("Q"), .quit), (.key(.control("z")), .suspend), (.key(.control("c")), .interrupt),
    ]

    /// Nil for what means nothing here.
    init?(_ input: InputEvent) {
        if case .mouse(let mouse) = input {
            switch mouse.action {
            case .wheelUp: self = .lines(-1)
            case .wheelDown: self = .lines(1)
            case .click: return nil
            }
            return
        }
        guard let found = Self.table.first(where: { $0.input == input }) else { return nil }
        self = found.key
    }
}
