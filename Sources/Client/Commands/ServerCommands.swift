import EventLoop
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
            for option in [CommandOption.clearedSource, .clearedQuery] where arguments.has(option) {
                throw ClientError(.usage, "--\(option.name) goes with “cache clear” only")
            }
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
        case .some(let word): throw ClientError(.usage, "“cache” does not know “\(word)”")
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

/// `searchctl quota`: lists the quotas, or corrects the used count of one.
enum QuotaCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        guard arguments.words.count == 2 else { return try list(arguments.words.first, arguments, format, context) }
        guard let name = arguments.words.first, let used = Int(arguments.words[1]), used >= 0 else {
            throw ClientError(.usage, "USED is a number of calls, 0 or more")
        }
        let params = JSONWriter.bytes { writer in
            writer.member(.name, name)
            writer.member(.used, used)
        }
        let result: JSONCursor
        do throws(ClientError) {
            result = try Connector(arguments, context).ask(.quotaSet, params)
        } catch  where error.path == "params.name" {
            throw unknown(name, hint: error.hint)
        } catch {
            throw error.forRoot("sudo searchctl quota \(name) \(used)")
        }
        let lines = (result[.quota]?.elements ?? []).map { quota in
            let share = FigureText.share(quota[.used]?.int ?? 0, of: quota[.limit]?.int ?? 0)
            return VisibleText.visible("\(quota[.name]?.string ?? "?"): \(share) used")
        }
        try Printer(context.console).print(json: [result.text], or: lines, as: format)
        return .found
    }

    /// Prints all quotas, or one.
    private static func list(
        _ name: String?,
        _ arguments: Arguments,
        _ format: OutputFormat,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let all = try DaemonSnapshot(of: &exchange, [.sourceList], clock: context.clock).quotas
            let quotas = all.filter { name == nil || $0.name == name }
            if let name, quotas.isEmpty { throw unknown(name, hint: ClientError.guess(name, among: all.map(\.name))) }
            let lines = Layout(columns: context.console.columns).table(quotas.map { ($0.name, $0.text) })
            try exchange.print(json: quotas.map(\.json.text), or: lines, as: format)
            return .found
        }
    }

    private static func unknown(_ name: String, hint: String?) -> ClientError {
        ClientError(.usage, "no quota is called “\(name)”", hint: hint ?? "“searchctl quota” lists them.")
    }
}

extension ClientError {
    /// The error, with the command to run where only an administrator may do it.
    func forRoot(_ command: String) -> ClientError {
        var error = self
        if code == .init(.forbidden) { error.hint = "Run “\(command)”." }
        return error
    }
}

/// `searchctl reload`: the daemon reads its configuration, sources and keys again.
enum ReloadCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        // A daemon that starts now reads everything anyway.
        let result = try reload(Connector(arguments, context, starting: .nothing))
        let lines = lines(result).flatMap(Layout(columns: context.console.columns).fitted)
        try Printer(context.console).print(json: [result.text], or: lines, as: format)
        return .found
    }

    /// Here `invalidParams` means a wrong file: the command line is right.
    static func reload(_ connector: Connector) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try connector.ask(.reload)
        } catch {
            var failure = error.forRoot("sudo searchctl reload")
            if error.code == .init(.invalidParams) { failure.code = .init(.notConfigured) }
            throw failure
        }
    }

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

/// `searchctl ping`: checks whether the daemon answers, and how fast.
enum PingCommand {
    static let timeoutSeconds = 5

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            let started = Instant.now
            let result = try exchange.ask(.ping, within: timeoutSeconds)
            let elapsed = FigureText.time(milliseconds: started.duration(to: .now).milliseconds)
            let uptime = result[.uptime]?.double.map { ", up \(FigureText.time(milliseconds: $0 * 1000))" } ?? ""
            try exchange.print(json: [result.text], or: ["searchd answers in \(elapsed)\(uptime)"], as: format)
            return .found
        }
    }
}
