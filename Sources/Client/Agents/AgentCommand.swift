import SearchModel

/// `searchctl mcp`: the way of agents to the daemon.
enum AgentCommand {
    static let command = Command(
        "mcp",
        .script,
        summary: "serve an agent on the standard streams (Model Context Protocol)",
        details: [
            "An agent starts it as its server: it passes lines between standard input and output and the daemon, and ends "
                + "with its input. It goes on when the daemon restarts.",
            "With --check it prints what an agent would see: the tools with their sizes, and which sources work.",
        ],
        options: [check] + CommandOption.ofReport,
        examples: ["searchctl mcp", "searchctl mcp --check"],
        isBrief: true,
        run: run
    )

    static let check = CommandOption("check", help: "print what an agent would see, and end")

    @Sendable private static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(arguments, context)
        if arguments.has(check) { return try AgentCheck.run(connector, OutputFormat.chosen(arguments), context) }
        for option in CommandOption.ofReport where arguments.has(option) {
            throw ClientError(.usage, "--\(option.name) goes with “mcp --check” only")
        }
        var bridge = AgentBridge(connector, context.console)
        return try bridge.run()
    }
}
