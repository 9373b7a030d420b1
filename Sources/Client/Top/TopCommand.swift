import CPlatform
import EventLoop
import Glibc
import SearchModel
import Terminal

/// `searchctl top`: the daemon live, on the whole screen.
struct TopCommand {
    static let refreshSeconds = 1

    private let context: Context
    private let style: Style
    private let signals: SignalInput

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let isDumb = context.environment["TERM"].map { $0 == "dumb" } ?? true
        guard console.outputIsTerminal, !isDumb, let mode = TerminalMode(console.input) else {
            throw ClientError(
                .usage,
                "“top” needs a terminal",
                hint: "Use “searchctl status”, or “searchctl status --json” in programs."
            )
        }
        let style = Style(arguments, environment: context.environment, isTerminal: true)
        let signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
        defer { signals.end() }
        let command = TopCommand(context: context, style: style, signals: signals)
        // Requested before the screen is switched, so that an error stays visible.
        var feed = try TopFeed(Connector(arguments, context))
        let history = TopHistory(try feed.next(now: context.now()))
        mode.readKeys()
        console.write("\u{1B}[?1049h\u{1B}[?25l", to: console.output)
        defer {
            console.write("\u{1B}[?25h\u{1B}[?1049l", to: console.output)
            mode.restore()
        }
        return try command.show(history, &feed)
    }

    /// Draws, waits and refreshes until the user quits.
    private func show(_ first: TopHistory, _ feed: inout TopFeed) throws(ClientError) -> ExitStatus {
        var history = first
        var firstLine = 0
        while true {
            let refresh = Instant.now.advanced(by: .seconds(Self.refreshSeconds))
            draw(history, &firstLine)
            wait: while true {
                switch try event(until: refresh) {
                case .nothing: break wait
                case .resized: draw(history, &firstLine)
                case .keys(let keys):
                    for key in keys {
                        if key == .quit { return .found }
                        if key == .interrupt { return .interrupted }
                        firstLine = screen(history, firstLine).firstLine(after: key)
                    }
                    draw(history, &firstLine)
                case .ended: return .interrupted
                }
            }
            history.add(try feed.next(now: context.now()))
        }
    }

    private func screen(_ history: TopHistory, _ firstLine: Int) -> TopScreen {
        let size = Console.terminalSize(context.console.output) ?? (columns: Console.columnsDefault, rows: 24)
        return TopScreen(history, columns: size.columns, rows: size.rows, firstLine: firstLine)
    }

    private func draw(_ history: TopHistory, _ firstLine: inout Int) {
        let screen = screen(history, firstLine)
        // The terminal may have become larger, or the list shorter.
        firstLine = screen.firstLine
        let text = screen.lines(style).map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        context.console.write("\u{1B}[H" + text + "\u{1B}[J", to: context.console.output)
    }

    private enum Event {
        case nothing
        case resized
        case keys([TopKey])
        /// The user quits, or a signal asks for it.
        case ended
    }

    /// What happens first until an instant.
    private func event(until deadline: Instant) throws(ClientError) -> Event {
        while true {
            let ready = try Transfers.wait(for: context.console.input, signals.descriptor, until: deadline)
            guard ready.contains(true) else { return .nothing }
            if ready[1], let signal = signals.next() { return signal == SIGWINCH ? .resized : .ended }
            guard ready[0] else { continue }
            // End of file or an error: the terminal has gone.
            guard let keys = try? Transfers.read(context.console.input, bytesMax: 64) else { return .ended }
            if keys.isEmpty { return .ended }
            return .keys(TopKey.all(in: keys))
        }
    }
}
