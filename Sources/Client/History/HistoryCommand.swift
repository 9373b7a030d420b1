import JSON
import RPC
import SearchModel

/// `searchctl history`: what the user searched; shows it, or clears it.
enum HistoryCommand {
    static let timeoutSeconds = 30

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let isClearing = arguments.words.first == "clear"
        let text = arguments.words.dropFirst(isClearing ? 1 : 0).joined(separator: " ")
        let params = JSONWriter.bytes { writer in
            if !text.isEmpty { writer.member(isClearing ? .query : .prefix, text) }
            if !isClearing { writer.member(.limit, arguments.number(.limit)) }
        }
        guard isClearing else {
            guard !arguments.has(.yes) else {
                throw ClientError(.usage, "--yes goes with “history clear” only", hint: usage)
            }
            return try list(params, format, arguments, context)
        }
        guard !arguments.has(.limit) else {
            throw ClientError(.usage, "--limit does not go with “history clear”", hint: usage)
        }
        return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            if text.isEmpty, format == .text, !arguments.has(.yes), let question = Question(context.console) {
                guard try isConfirmed(question, &exchange) else {
                    context.console.report("Nothing was removed.")
                    return .interrupted
                }
            }
            let result = try exchange.ask(.historyClear, params: params, within: timeoutSeconds)
            let removed = result[.removed]?.int ?? 0
            forget(text.isEmpty ? nil : text, context)
            let line =
                removed == 0
                ? "nothing to remove"
                : "removed \(FigureText.count(removed, "query", "queries")), and what \(removed == 1 ? "it" : "they") "
                    + "brought to “seen”"
            try exchange.print(json: result.text, or: [line], as: format)
            return .found
        }
    }

    /// Asks whether all is to be removed; of nothing it is not asked.
    private static func isConfirmed(
        _ question: Question,
        _ exchange: inout DaemonConnection
    ) throws(ClientError) -> Bool {
        let countMax = WireBounds.limit.upperBound
        let params = JSONWriter.bytes { $0.member(.limit, countMax) }
        let entries = try exchange.ask(.historyList, params: params, within: timeoutSeconds)[.entries]
        guard let count = entries?.elements.count, count > 0 else { return true }
        let counted = FigureText.count(count, "query", "queries")
        let searched = count < countMax ? counted : "\(counted) or more"
        return try question.isConfirmed("Remove all of your history (\(searched)) and what it brought to “seen”?")
    }

    private static func list(
        _ params: [UInt8],
        _ format: OutputFormat,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let result = try Connector(arguments, context).withExchange { exchange throws(ClientError) in
            try exchange.ask(.historyList, params: params, within: timeoutSeconds)
        }
        let entries = Array(result[.entries]?.elements ?? [])
        let printer = Printer(context.console)
        switch format {
        case .json: for entry in entries { try printer.print(json: entry.text) }
        case .text:
            let rows = entries.map { row($0, context) }
            let lines = Layout(columns: context.console.columns).table(rows)
            try printer.print(lines.map { $0 + "\n" }.joined())
        }
        guard entries.isEmpty else { return .found }
        if format == .text {
            context.console.report(
                arguments.words.isEmpty ? "You have searched nothing yet." : "None of your searches matches."
            )
        }
        return .nothingFound
    }

    /// Removes what this program itself keeps of searches; nil for all of them.
    private static func forget(_ query: String?, _ context: Context) {
        func isMeant(_ search: LastSearch) -> Bool {
            guard let query, let arguments = try? AgainCommand.arguments(of: search) else { return true }
            return SearchQuery(arguments.words.joined(separator: " ")) == SearchQuery(query)
        }
        LastSearchStore(context)?.remove(where: isMeant)
    }

    /// When and what.
    private static func row(_ entry: JSONCursor, _ context: Context) -> (name: String, text: String) {
        let query = VisibleText.visible(entry[.query]?.string ?? "")
        let at = entry[.at]?.string.flatMap { PublishedTime($0, precision: nil) }
        let count = entry[.count]?.int ?? 1
        let times = count > 1 ? "  (\(FigureText.grouped(count)) times)" : ""
        return (at?.age(at: context.now(), in: context.zone) ?? "", query + times)
    }

    private static let usage = "Usage: searchctl history [PREFIX], or searchctl history clear [QUERY]."

    /// Which words may follow.
    static func suggestions(_ words: [String]) -> [Suggestion] {
        if words.first == "clear" { return [.queries(after: Array(words.dropFirst()))] }
        let clear = Suggestion.words([Candidate("clear", "remove all, or one query")])
        return (words.isEmpty ? [clear] : []) + [.queries(after: words)]
    }
}

/// The options of `history`.
extension CommandOption {
    static let historyLimit = CommandOption(
        "limit",
        letter: "n",
        value: .number("N", in: WireBounds.limit),
        help: "number of searches (default \(WireBounds.historyLimitDefault))"
    )
    static let yes = CommandOption("yes", letter: "y", help: "with clear: remove all without asking")
    static let ofHistory = [historyLimit, yes] + ofReport
}
