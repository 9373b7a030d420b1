import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl library import FILE`: saves what a file has, and says what it took and what it left.
enum ImportCommand {
    static func run(
        _ path: String?,
        _ arguments: Arguments,
        _ context: Context,
        verb: String = "imported"
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        guard let path else {
            throw ClientError(
                .usage,
                "“library import” needs FILE",
                hint: "Usage: searchctl library import FILE, or “-” for standard input."
            )
        }
        if path == "-" { return try run(context.console.input, verb, format, arguments, context) }
        // The path lives through the call.
        let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard raw >= 0 else {
            let error = SystemError(call: path, number: platform_errno())
            throw ClientError(.usage, "the file can't be read: \(error)")
        }
        let file = FileDescriptor(owning: raw)
        guard PathFacts(of: path)?.isDirectory != true else {
            throw ClientError(.usage, "\(path) is a directory", hint: "Name a file in it.")
        }
        return try run(file.raw, verb, format, arguments, context)
    }

    private static func run(
        _ input: Int32,
        _ verb: String,
        _ format: OutputFormat,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let console = context.console
        var run = ImportRun(input: input, interrupt: console.interrupt)
        let progress = ProgressLine(console: console, isOn: console.errorsIsTerminal, patience: ProgressLine.patience)
        do throws(ClientError) {
            try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                try run.run(&exchange, progress)
            }
        } catch {
            progress.clear()
            // What is saved stays; the same file can be imported again.
            if run.tally.taken + run.tally.left > 0 { try report(run.tally, verb, format, context) }
            throw LibraryCall.inWords(error)
        }
        try report(run.tally, verb, format, context)
        return run.tally.taken > 0 ? .found : .nothingFound
    }

    private static func report(
        _ tally: ImportTally,
        _ verb: String,
        _ format: OutputFormat,
        _ context: Context
    ) throws(ClientError) {
        let printer = Printer(context.console)
        switch format {
        case .text:
            for line in tally.reasons { context.console.report(VisibleText.visible(line)) }
            try printer.print(tally.summary(verb) + "\n")
        case .json:
            let text = JSONWriter.bytes { writer in
                writer.member("taken", tally.taken)
                writer.member(.added, tally.added)
                writer.member("left", tally.left)
                writer.name("reasons")
                writer.array { writer in
                    for (line, reason) in tally.named {
                        writer.object { writer in
                            writer.member("line", line)
                            writer.member("reason", reason)
                        }
                    }
                }
            }
            try printer.print(json: text[...])
        }
    }
}
