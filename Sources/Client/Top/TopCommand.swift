import CPlatform
import EventLoop
import Glibc
import SearchModel

/// `searchctl top`: the daemon live, on the whole screen.
struct TopCommand {
    static let timeoutSeconds = 5
    static let refreshSeconds = 1

    private let context: Context
    private let connector: Connector
    private let style: Style
    private let signals: SignalInput

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let isDumb = context.environment["TERM"].map { $0 == "dumb" } ?? true
        guard console.outputIsTerminal, !isDumb, let mode = TerminalMode(console.input) else {
            throw ClientError(
                .usage,
                "“top” needs a terminal",
                hint: "“searchctl status”, or “searchctl status --json” for programs, works without"
            )
        }
        let style = Style(arguments, environment: context.environment, isTerminal: true)
        let connector = try Connector(arguments, context)
        let signals = try SignalInput([SIGINT, SIGTERM, SIGHUP, SIGWINCH])
        let command = TopCommand(context: context, connector: connector, style: style, signals: signals)
        // Asked before the screen is taken, so that an error is not wiped away with it.
        var exchange = try connector.connect()
        let history = TopHistory(try command.snapshot(&exchange, firstID: 1))
        mode.readKeys()
        console.write("\u{1B}[?1049h\u{1B}[?25l", to: console.output)
        defer {
            console.write("\u{1B}[?25h\u{1B}[?1049l", to: console.output)
            mode.restore()
        }
        return try command.show(history, &exchange)
    }

    private func snapshot(_ exchange: inout DaemonConnection, firstID: Int) throws(ClientError) -> TopSnapshot {
        let deadline = Instant.now.advanced(by: .seconds(Self.timeoutSeconds))
        let snapshot = try DaemonSnapshot(of: &exchange, until: deadline, firstID: firstID)
        return TopSnapshot(snapshot, at: Double(Instant.now.nanoseconds) / 1e9, now: context.now())
    }

    /// Draws, waits, and asks again, until the user has enough.
    private func show(_ first: TopHistory, _ exchange: inout DaemonConnection) throws(ClientError) -> ExitStatus {
        var history = first
        var firstID = 1
        while true {
            let refresh = Instant.now.advanced(by: .seconds(Self.refreshSeconds))
            draw(history)
            wait: while true {
                switch try event(until: refresh) {
                case .nothing: break wait
                case .resized: draw(history)
                case .quit: return .found
                case .ended: return .interrupted
                }
            }
            firstID += DaemonSnapshot.idCount
            do throws(ClientError) {
                history.add(try snapshot(&exchange, firstID: firstID))
            } catch {
                // It may have been restarted; another one that is there by now goes on.
                guard error.code == .connectionLost || error.code == .init(.shuttingDown) else { throw error }
                exchange = try connector.connect()
                history.add(try snapshot(&exchange, firstID: firstID))
            }
        }
    }

    private func draw(_ history: TopHistory) {
        let size = Console.terminalSize(context.console.output) ?? (columns: Console.columnsDefault, rows: 24)
        let lines = TopScreen(history, columns: size.columns, rows: size.rows).lines(style)
        let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
        context.console.write("\u{1B}[H" + text + "\u{1B}[J", to: context.console.output)
    }

    private enum Event {
        case nothing
        case resized
        /// The user has enough.
        case quit
        /// The program is to end.
        case ended
    }

    /// What happens first until an instant.
    private func event(until deadline: Instant) throws(ClientError) -> Event {
        while true {
            let ready = try Transfers.wait(for: context.console.input, signals.descriptor, until: deadline)
            guard ready.contains(true) else { return .nothing }
            if ready[1], let signal = signals.next() { return signal == SIGWINCH ? .resized : .ended }
            guard ready[0] else { continue }
            // The terminal's end reads as nothing, or as an error: it has gone.
            guard let keys = try? Transfers.read(context.console.input, bytesMax: 64) else { return .ended }
            if keys.isEmpty || keys.contains(3) { return .ended }
            if keys.contains(UInt8(ascii: "q")) || keys.contains(UInt8(ascii: "Q")) { return .quit }
        }
    }
}
