package import Client
import EventLoop
import SearchModel
import Terminal

/// `searchctl top`: the daemon live, on the whole screen.
package enum TopCommand {
    package static let command = Command(
        "top",
        .run,
        summary: "live view of the daemon: rates, sources, quotas",
        details: ["It fills the terminal and refreshes every second; the arrow keys scroll, q quits."],
        examples: ["searchctl top"],
        run: run
    )

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let hint = "Use “searchctl status”, or “searchctl status --json” in programs."
        let runner = try ScreenRunner("top", arguments, context, hint: hint)
        // Asked before the screen is switched, so that an error stays visible.
        return try runner.run(try TopProgram(Connector(arguments, context), context))
    }
}

/// What `top` shows, and how far it is scrolled.
private final class TopProgram: ScreenProgram {
    private static let refresh = Duration.seconds(1)

    var status: ExitStatus?
    private let context: Context
    private var feed: TopFeed
    private var history: TopHistory
    private var refreshAt: Instant
    private var size = (columns: Console.columnsDefault, rows: 24)
    private var firstLine = 0

    init(_ connector: Connector, _ context: Context) throws(ClientError) {
        self.context = context
        feed = try TopFeed(connector)
        history = TopHistory(try feed.next(context.clock))
        refreshAt = Instant.now.advanced(by: Self.refresh)
    }

    var dueAt: Instant? { refreshAt }

    private var top: TopScreen {
        TopScreen(history, columns: size.columns, rows: size.rows, firstLine: firstLine)
    }

    func screen() -> Screen? {
        let top = top
        // The terminal may have become larger, or the list shorter.
        firstLine = top.firstLine
        return top.screen
    }

    func resized(columns: Int, rows: Int, _ runner: ScreenRunner) { size = (columns, rows) }

    func received(_ input: InputEvent, _ runner: ScreenRunner) throws(ClientError) {
        switch TopKey(input) {
        case .quit: status = .found
        case .interrupt: status = .interrupted
        case .suspend: try runner.suspend(self)
        case let key?: firstLine = top.firstLine(after: key)
        case nil: break
        }
    }

    func proceed(_ runner: ScreenRunner) throws(ClientError) {
        guard refreshAt <= .now else { return }
        history.add(try feed.next(context.clock))
        refreshAt = Instant.now.advanced(by: Self.refresh)
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
