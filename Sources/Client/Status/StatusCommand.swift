import EventLoop
import Glibc

/// `searchctl status`: how the daemon is doing, the health first.
enum StatusCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try OutputFormat.chosen(arguments)
        let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        return try Connector(arguments, context, starting: .own).withExchange { exchange throws(ClientError) in
            let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds))
            let snapshot = try DaemonSnapshot(of: &exchange, until: deadline)
            let savedCount = try exchange.savedCount(id: DaemonSnapshot.idCount + 1, within: timeoutSeconds)
            let clock = context.clock
            let owner = DaemonOwner(daemonUser: snapshot.userID, path: exchange.path, userID: geteuid())
            let health = Health(of: snapshot, clock: clock)
            let layout = Layout(columns: console.columns)
            let lines =
                arguments.has(.allFigures)
                ? StatusText(layout: layout).lines(hello: snapshot.hello, stats: snapshot.stats)
                : StatusReport(
                    snapshot: snapshot,
                    savedCount: savedCount,
                    health: health,
                    owner: owner,
                    clock: clock,
                    layout: layout,
                    style: style
                ).lines
            try exchange.print(json: snapshot.json(health)[...], or: lines, as: format)
            return health.status
        }
    }
}

/// The options of `status`.
extension CommandOption {
    static let allFigures = CommandOption("all", help: "every figure of the daemon by its name")

    static let ofStatus = [allFigures] + ofReport
}
