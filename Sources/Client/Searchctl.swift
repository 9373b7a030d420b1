import CPlatform
import Glibc
import SearchModel

/// The entry point of the program `searchctl`.
package enum Searchctl {
    package static func run(_ words: [String], _ context: Context) -> ExitStatus {
        do throws(ClientError) {
            return try perform(words, context)
        } catch {
            switch error.code {
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
        case .run(let command, let arguments):
            let context = context.with(arguments)
            let status = try command.run(context)
            if command.group == .keep, let notice = context.librarySnapshot?.damagedFileNotice {
                context.console.report(notice)
            }
            return status
        case .help(let command, let all):
            let columns = context.console.columns
            let text =
                command.map { Help.text(of: $0, columns: columns, all: all) }
                ?? Help.text(of: commands, columns: columns, all: all)
            try context.console.print(paged: text, context, mayPage: all)
        case .version:
            try context.console.print("searchctl \(Version.program) (protocol \(Version.wire))\n")
        }
        return .found
    }
}

extension Searchctl {
    package static func runProcess(adding commands: [Command]) -> Int32 {
        openStandardDescriptors()
        // A write to a closed output must return an error instead of ending the process. The process can then cancel
        // the request.
        _ = signal(SIGPIPE, SIG_IGN)
        let environment = Environment.process
        let console = Console(environment: environment, interrupt: interruptDescriptor())
        let words = Array(CommandLine.arguments.dropFirst())
        let all = CommandTable.commands + commands
        return run(words, Context(console: console, commands: all, environment: environment)).number
    }

    /// Opens closed standard descriptors, so that no socket gets the number of a standard descriptor.
    private static func openStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR)
        }
    }

    private static func interruptDescriptor() -> Int32? {
        var signals = [SIGINT]
        // The array is valid during the call, which reads one number.
        let descriptor = unsafe platform_signal_descriptor(&signals, 1)
        return descriptor >= 0 ? descriptor : nil
    }
}
