import EventLoop

/// `searchctl status`: how the daemon is doing, the health first.
enum StatusCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try OutputFormat.chosen(arguments, outputIsTerminal: console.outputIsTerminal)
        let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let deadline = Instant.now.advanced(by: .seconds(timeoutSeconds))
            let snapshot = try DaemonSnapshot(of: &exchange, until: deadline)
            let health = Health(snapshot.sources)
            let lines =
                arguments.has(.allFigures)
                ? StatusText.lines(hello: snapshot.hello, stats: snapshot.stats)
                : StatusReport(snapshot, health, style: style, now: context.now()).lines
            try exchange.print(json: snapshot.json(health)[...], or: lines, as: format)
            return health.status
        }
    }
}

/// The options of `status`.
extension CommandOption {
    static let allFigures = CommandOption("all", help: "every figure that the daemon keeps, by its name")

    static let ofStatus = [json, plain, allFigures]
}
