import CPlatform
import Glibc
import SearchModel

/// The program: a command line in, an exit status out.
package enum Searchctl {
    /// Runs a command line, without the program's name; errors are told on the console.
    package static func run(_ words: [String], _ context: Context) -> ExitStatus {
        do throws(ClientError) {
            return try perform(words, context)
        } catch {
            switch error.code {
            // There is no reader left; the user knows.
            case .outputClosed: break
            case .interrupted: break
            default: context.console.report(FailureText.line(error))
            }
            return ExitStatus(of: error)
        }
    }

    private static func perform(_ words: [String], _ context: Context) throws(ClientError) -> ExitStatus {
        let commands = context.commands
        guard !words.isEmpty else {
            let columns = context.console.errorColumns ?? context.console.columns
            context.console.write(Help.text(of: commands, columns: columns), to: context.console.errors)
            return .usage
        }
        switch try CommandLineParser.parse(words, commands: commands) {
        case .run(let command, let arguments): return try command.run(arguments, context)
        case .help(let command, let all):
            let columns = context.console.columns
            let text =
                command.map { Help.text(of: $0, columns: columns, all: all) }
                ?? Help.text(of: commands, columns: columns)
            try Printer(context.console).print(paged: text, context)
        case .version:
            let text = "searchctl \(Version.program) (protocol \(Version.wire))\n"
            context.console.write(text, to: context.console.output)
        }
        return .found
    }
}

extension Searchctl {
    /// Runs the command line of this process with the commands of other modules, too; its exit status.
    package static func runProcess(adding commands: [Command]) -> Int32 {
        openStandardDescriptors()
        // A reader that leaves is an errno here, not the end: the daemon is to be told that its work is in vain.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.process
        let console = Console(environment: environment, interrupt: interruptDescriptor())
        let words = Array(CommandLine.arguments.dropFirst())
        let all = CommandTable.commands + commands
        return run(words, Context(console: console, commands: all, environment: environment)).number
    }

    /// Makes sure that 0, 1 and 2 are open, so that no socket ever becomes a standard output.
    private static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the missing one.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// A descriptor that becomes readable at Ctrl-C, which from now on does nothing else; nil when there is none.
    private static func interruptDescriptor() -> Int32? {
        var signals = [SIGINT]
        // The array lives through the call, which reads one number.
        let descriptor = unsafe platform_signal_descriptor(&signals, 1)
        return descriptor >= 0 ? descriptor : nil
    }
}
