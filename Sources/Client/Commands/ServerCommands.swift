import EventLoop
import JSON
import RPC
import SearchModel

/// `searchctl cache`: shows or clears the shared cache.
enum CacheCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        switch arguments.words.first {
        case nil, "stats":
            for option in [CommandOption.clearedSource, .clearedQuery] where arguments.has(option) {
                throw refusal("--\(option.name) goes with “cache clear” only")
            }
            return try call(
                .cacheStats,
                context,
                arguments,
                format,
                lines: { Layout(columns: context.console.columns).table(CacheText.rows($0)) }
            )
        case "clear":
            do throws(ClientError) {
                return try call(.cacheClear, params: params(arguments), context, arguments, format) { result in
                    ["\(FigureText.count(result[.removed]?.int ?? 0, "page")) removed"]
                }
            } catch {
                throw OptionWords.translate(error, [(.source, "--source"), (.query, "--query")])
            }
        case .some(let word): throw refusal("“cache” does not know “\(word)”")
        }
    }

    private static func call(
        _ method: MethodName,
        params: [UInt8]? = nil,
        _ context: Context,
        _ arguments: Arguments,
        _ format: OutputFormat,
        lines: (JSONCursor) -> [String]
    ) throws(ClientError) -> ExitStatus {
        try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let result = try exchange.ask(method, params: params, within: timeoutSeconds)
            try exchange.print(json: result.text, or: lines(result), as: format)
            return .found
        }
    }

    private static func params(_ arguments: Arguments) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.source, arguments.text(.clearedSource))
            writer.member(.query, arguments.text(.clearedQuery))
        }
    }

    private static func refusal(_ message: String) -> ClientError {
        ClientError(
            .usage,
            message,
            hint: "Usage: searchctl cache [stats], or searchctl cache clear [--source SOURCE] [--query QUERY]."
        )
    }
}

/// The options of `cache`.
extension CommandOption {
    static let clearedSource = CommandOption(
        "source",
        letter: "s",
        value: .text("SOURCE"),
        help: "with clear: only pages of this source or glob",
        suggestion: .sourceGlobs
    )
    static let clearedQuery = CommandOption(
        "query",
        value: .text("QUERY"),
        help: "with clear: only pages of this query"
    )

    static let ofCache = [clearedSource, clearedQuery] + ofReport
}

/// `searchctl reload`: the daemon reads its configuration, sources and keys again.
enum ReloadCommand {
    static let timeoutSeconds = 10

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        // One that is started now has read everything anyway.
        let connector = try Connector(arguments, context, starting: .nothing)
        return try connector.withExchange { exchange throws(ClientError) in
            let result = try reload(&exchange, within: timeoutSeconds)
            try exchange.print(json: result.text, or: lines(result), as: format)
            return .found
        }
    }

    /// Here wrong parameters are a wrong file: the command line is right.
    static func reload(_ exchange: inout DaemonConnection, within seconds: Int) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try exchange.ask(.reload, within: seconds)
        } catch  where error.code == .init(.invalidParams) {
            var failure = error
            failure.code = .init(.notConfigured)
            throw failure
        } catch  where error.code == .init(.forbidden) {
            var failure = error
            failure.hint = "Run “sudo searchctl reload”."
            throw failure
        }
    }

    /// What has changed, for a person; pure.
    static func lines(_ result: JSONCursor) -> [String] {
        let sources = result[.sources]
        let parts = [
            ("changed", result[.changed]), ("new sources", sources?[.added]),
            ("sources removed", sources?[.removed]), ("sources changed", sources?[.changed]),
            ("takes effect after a restart", result[.needsRestart]),
        ]
        let lines = parts.compactMap { title, list -> String? in
            let names = list?.elements.compactMap(\.string) ?? []
            return names.isEmpty ? nil : VisibleText.visible("\(title): \(names.joined(separator: ", "))")
        }
        return lines.isEmpty ? ["Reloaded; nothing has changed."] : ["Reloaded."] + lines
    }
}

/// `searchctl ping`: whether the daemon answers, and how fast.
enum PingCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let started = Instant.now
            let result = try exchange.ask(.ping, within: timeoutSeconds)
            let elapsed = FigureText.time(milliseconds: started.duration(to: .now).milliseconds)
            let uptime = result[.uptime]?.double.map { ", up \(FigureText.time(milliseconds: $0 * 1000))" } ?? ""
            try exchange.print(json: result.text, or: ["searchd answers in \(elapsed)\(uptime)"], as: format)
            return .found
        }
    }
}
