import SearchModel

/// The program: a command line in, an exit status out.
package enum Searchctl {
    /// Runs a command line, without the program's name; errors are told on the console.
    package static func run(_ words: [String], _ context: Context) -> ExitStatus {
        do throws(ClientError) {
            return try perform(words, context)
        } catch {
            switch error.code {
            // Nobody is left to read it; the user knows.
            case .outputClosed: break
            case .interrupted: break
            default: context.console.report(FailureText.line(error))
            }
            return ExitStatus(of: error)
        }
    }

    private static func perform(_ words: [String], _ context: Context) throws(ClientError) -> ExitStatus {
        let commands = CommandTable.commands
        guard !words.isEmpty else {
            context.console.write(Help.text(of: commands), to: context.console.errors)
            return .usage
        }
        switch try CommandLineParser.parse(words, commands: commands) {
        case .run(let command, let arguments): return try command.run(arguments, context)
        case .help(let command):
            context.console.write(command.map(Help.text) ?? Help.text(of: commands), to: context.console.output)
        case .version:
            let text = "searchctl \(Version.program) (protocol \(Version.wire))\n"
            context.console.write(text, to: context.console.output)
        }
        return .found
    }
}
