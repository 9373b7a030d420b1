import CPlatform
import EventLoop
import Glibc

/// `searchctl sources check FILE`: reads a source file as the daemon would.
///
/// The daemon's program does it: it has the language of source files and the way to the network, which are too large for
/// a program that is to start at once.
enum SourceCheckCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        try SourcesCommand.refuse([.json, .plain], arguments, beside: "check")
        let words = try words(arguments)
        guard let program = context.daemonProgram ?? DaemonProgram.find(environment: context.environment) else {
            throw ClientError(
                .noDaemon,
                "there is no searchd beside searchctl or in PATH, and it is what checks source files",
                hint: "Install searchd"
            )
        }
        throw become(program, words)
    }

    /// The command line of the daemon's program, without its name; pure.
    static func words(_ arguments: Arguments) throws(ClientError) -> [String] {
        guard arguments.words.count == 2, let file = arguments.words.last, !file.isEmpty else {
            throw ClientError(
                .usage,
                "“sources check” takes one FILE",
                hint: "Write it as “searchctl sources check recipes.dishes.json5 --try soup”"
            )
        }
        var words = ["--check-source", file]
        if let query = arguments.text(.try) { words += ["--try", query] }
        if let path = arguments.text(.configuration) { words += ["--config", path] }
        return words
    }

    /// Puts another program instead of this one; returns only when that fails.
    private static func become(_ program: String, _ words: [String]) -> ClientError {
        // The path lives through the call. What can't be run is seen before this process changes at all.
        guard unsafe access(program, X_OK) == 0 else { return failure(program) }
        _ = platform_reset_signals()
        // The strings and their list are the new program's from here on; the list ends with NULL as execv wants it.
        var arguments = unsafe (["searchd"] + words).map { unsafe strdup($0) } + [nil]
        _ = unsafe execv(program, &arguments)
        return failure(program)
    }

    private static func failure(_ program: String) -> ClientError {
        let error = SystemError(call: program, number: platform_errno())
        return ClientError(.noDaemon, "searchd could not be run (\(error))")
    }
}
