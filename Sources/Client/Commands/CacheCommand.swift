import JSON
import RPC
import SearchModel

/// `searchctl cache`: shows or clears the shared cache.
enum CacheCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let connector = try Connector(arguments, context)
        let printer = Printer(context.console)
        switch arguments.words.first {
        case nil, "stats":
            try arguments.allow(CommandOption.ofReport, of: CommandOption.ofCache, in: "cache")
            let stats = try connector.ask(.cacheStats)
            let lines = Layout(columns: context.console.columns).table(CacheText.rows(stats))
            try printer.print(json: [stats.text], or: lines, as: format)
        case "clear":
            let params = JSONWriter.bytes { writer in
                writer.member(.source, arguments.text(.clearedSource))
                writer.member(.query, arguments.text(.clearedQuery))
            }
            let result = try connector.ask(.cacheClear, params)
            let line = "\(FigureText.count(result[.removed]?.int ?? 0, "page")) removed"
            try printer.print(json: [result.text], or: [line], as: format)
        case .some(let word): throw ClientError(.usage, "“cache” has no action “\(word)”")
        }
        return .found
    }
}

/// The options of `cache`.
extension CommandOption {
    static let clearedSource = CommandOption(
        "source",
        letter: "s",
        value: .text("SOURCE"),
        help: "with clear: only pages of this source or pattern",
        suggestion: .sourceGlobs
    )
    static let clearedQuery = CommandOption(
        "query",
        value: .text("QUERY"),
        help: "with clear: only pages of this query"
    )

    static let ofCache = [clearedSource, clearedQuery] + ofReport
}
