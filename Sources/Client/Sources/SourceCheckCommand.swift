/// `searchctl sources check FILE`: reads a source file as the daemon would.
///
/// The daemon's program does it: it has the language of source files and the way to the network, which are too large
/// for a program that is to start at once.
enum SourceCheckCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        try SourcesCommand.refuse([.enabledOnly, .listedKind, .json, .plain], arguments, beside: "check")
        let words = try words(arguments)
        guard let program = context.daemonProgram ?? DaemonProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "source files are checked by searchd, which is neither beside searchctl nor in PATH",
                hint: "Install searchd."
            )
        }
        throw ProgramReplacement.run(program, ["searchd"] + words)
    }

    /// The command line of the daemon's program, without its name; pure.
    static func words(_ arguments: Arguments) throws(ClientError) -> [String] {
        guard arguments.words.count == 2, let file = arguments.words.last, !file.isEmpty else {
            throw ClientError(
                .usage,
                "“sources check” takes one FILE",
                hint: "Example: searchctl sources check recipes.dishes.json5 --try soup."
            )
        }
        var words = ["--check-source", file]
        if let query = arguments.text(.try) { words += ["--try", query] }
        if let path = arguments.text(.configuration) { words += ["--config", path] }
        return words
    }
}
