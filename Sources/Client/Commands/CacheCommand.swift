import JSON
import RPC
import SearchModel

/// The command `searchctl cache`, which shows or clears the shared cache.
enum CacheCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(context)
        switch context.arguments.words.first {
        case nil, "stats":
            try context.arguments.allow(CommandOption.ofReport, of: CommandOption.ofCache, in: "cache")
            let stats = try connector.ask(.cacheStats)
            let lines = context.layout.table(CacheText.rows(stats))
            try context.report(json: [stats.text], or: lines)
        case "clear":
            let params = JSONWriter.bytes { writer in
                writer.member(.source, context.arguments.text(.clearedSource))
                writer.member(.query, context.arguments.text(.clearedQuery))
            }
            let result = try connector.ask(.cacheClear, params)
            let line = "\(NumberText.count(result[.removed]?.int ?? 0, "page")) removed"
            try context.report(json: [result.text], or: [line])
        case .some(let word):
            throw ClientError(.usage, "“cache” has no action “\(word)”", hint: "Its actions are stats and clear.")
        }
        return .found
    }
}

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
