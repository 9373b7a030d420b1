package import Client
import EventLoop
import RPC
import SearchModel
import Terminal

/// The command `searchctl top`, which shows the state of the daemon and updates it every second.
package enum TopCommand {
    package static let command = Command(
        "top",
        .run,
        summary: "show rates, sources and quotas, updated every second",
        details: ["Fills the terminal. The arrow keys scroll, and q quits."],
        examples: ["searchctl top"],
        run: run
    )

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let hint = "Use “searchctl status”. Programs can use “searchctl status --json”."
        let runner = try ScreenRunner("top", context, hint: hint)
        // Connect first: the alternate screen would hide an error.
        return try runner.run(try TopProgram(Connector(context), context))
    }
}

private final class TopProgram: ScreenProgram {
    private static let refresh = Duration.seconds(1)

    var status: ExitStatus?
    private let connector: Connector
    private let context: Context
    private var connection: DaemonConnection
    private var history: TopHistory
    private var refreshAt: Instant
    private var size = (columns: Console.columnsDefault, rows: ScreenRunner.rowsDefault)
    private var firstLine = 0

    init(_ connector: Connector, _ context: Context) throws(ClientError) {
        (self.connector, self.context) = (connector, context)
        var connection = try connector.connect()
        history = TopHistory(try Self.ask(&connection, context))
        self.connection = connection
        refreshAt = Instant.now.advanced(by: Self.refresh)
    }

    var dueAt: Instant? { refreshAt }

    private var top: TopScreen {
        TopScreen(history, columns: size.columns, rows: size.rows, firstLine: firstLine)
    }

    var screen: Screen {
        let top = top
        firstLine = top.firstLine
        return top.screen
    }

    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) { size = (columns, rows) }

    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError) {
        switch LiveKeys.scrollAction(input) {
        case .quit: status = .found
        case .interrupt: status = .interrupted
        case .suspend: try runner.suspend(self)
        case .redraw: runner.redraw()
        case let action?: firstLine = top.firstLine(after: action)
        case nil: break
        }
    }

    func proceed(_ runner: ScreenRunner) throws(ClientError) {
        guard refreshAt <= .now else { return }
        do throws(ClientError) {
            history.add(try Self.ask(&connection, context))
        } catch  where error.code == .connectionLost || error.code == .init(.shuttingDown) {
            connection = try connector.connect()
            history.add(try Self.ask(&connection, context))
        }
        refreshAt = Instant.now.advanced(by: Self.refresh)
    }

    private static func ask(_ connection: inout DaemonConnection, _ context: Context) throws(ClientError) -> TopMoment {
        let snapshot = try DaemonSnapshot(of: &connection, clock: context.clock)
        return TopMoment(snapshot, at: Double(Instant.now.nanoseconds) / 1e9)
    }
}
