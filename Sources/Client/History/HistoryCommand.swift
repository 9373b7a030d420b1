import JSON
import RPC
import SearchModel

/// `searchctl history`: lists earlier searches, or clears them.
enum HistoryCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let isClearing = arguments.words.first == "clear"
        let action = isClearing ? "history clear" : "history"
        try arguments.allow([isClearing ? .yes : .limit], of: [.yes, .limit], in: action)
        let text = arguments.words.dropFirst(isClearing ? 1 : 0).joined(separator: " ")
        return try isClearing ? clear(text, arguments, context) : list(text, arguments, context)
    }

    private static func clear(
        _ query: String,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let connector = try Connector(arguments, context)
        if query.isEmpty, !arguments.has(.yes) {
            guard let question = Question(context.console) else {
                let message = "“history clear” removes all of your history, but it can't ask without a terminal"
                throw ClientError(.usage, message, hint: "Add --yes, or the query to remove.")
            }
            let countMax = WireBounds.limit.upperBound
            let params = JSONWriter.bytes { $0.member(.limit, countMax) }
            let count = try connector.ask(.historyList, params)[.entries]?.elements.count ?? 0
            let counted = FigureText.count(count, "query", "queries") + (count < countMax ? "" : " or more")
            let text = "Remove all of your history (\(counted)), and all hits from “seen”?"
            let isConfirmed = if count == 0 { true } else { try question.isConfirmed(text) }
            guard isConfirmed else {
                context.console.report("Nothing was removed.")
                return .interrupted
            }
        }
        let params = JSONWriter.bytes { writer in if !query.isEmpty { writer.member(.query, query) } }
        let result = try connector.ask(.historyClear, params)
        LastSearchStore(context)?.remove { search in
            guard !query.isEmpty, let arguments = try? AgainCommand.arguments(of: search) else { return true }
            return SearchQuery(arguments.words.joined(separator: " ")) == SearchQuery(query)
        }
        let removed = result[.removed]?.int ?? 0
        let counted = FigureText.count(removed, "query", "queries")
        let line = removed == 0 ? "nothing to remove" : "removed \(counted), also from “seen”"
        try Printer(context.console).print(json: [result.text], or: [line], as: format)
        return .found
    }

    private static func list(
        _ prefix: String,
        _ arguments: Arguments,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let params = JSONWriter.bytes { writer in
            if !prefix.isEmpty { writer.member(.prefix, prefix) }
            writer.member(.limit, arguments.number(.limit))
        }
        let entries = Array(try Connector(arguments, context).ask(.historyList, params)[.entries]?.elements ?? [])
        let rows = entries.map { entry in
            let at = entry[.at]?.string.flatMap { PublishedTime($0, precision: nil) }
            let count = entry[.count]?.int ?? 1
            let times = count > 1 ? "  (\(FigureText.grouped(count)) times)" : ""
            let query = VisibleText.visible(entry[.query]?.string ?? "")
            return (name: at?.age(at: context.now(), in: context.zone) ?? "", text: query + times)
        }
        let lines = Layout(columns: context.console.columns).table(rows)
        try Printer(context.console).print(json: entries.map(\.text), or: lines, as: format)
        guard entries.isEmpty else { return .found }
        if format == .text {
            context.console.report(prefix.isEmpty ? "Your history is empty." : "No earlier search matches.")
        }
        return .nothingFound
    }

    static func suggestions(_ words: [String]) -> [Suggestion] {
        if words.first == "clear" { return [.suggestions(after: Array(words.dropFirst()))] }
        let clear = Suggestion.words([Candidate("clear", "remove one query, or all")])
        return (words.isEmpty ? [clear] : []) + [.suggestions(after: words)]
    }
}

/// The options of `history`.
extension CommandOption {
    static let yes = CommandOption("yes", letter: "y", help: "with clear, remove all queries without asking")
    static let ofHistory = [limit("searches", standard: WireBounds.historyLimitDefault), yes] + ofReport
}
