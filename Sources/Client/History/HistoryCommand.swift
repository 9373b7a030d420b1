import Hangul
import JSON
import RPC
import SearchModel

/// The command `searchctl history`, which lists earlier searches, or removes one or all.
enum HistoryCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let words = context.arguments.words
        let action = words.first.map { $0 == "clear" || $0 == "remove" ? $0 : "" } ?? ""
        let name = action.isEmpty ? "history" : "history \(action)"
        try context.arguments.allow([action.isEmpty ? .limit : .yes], of: [.yes, .limit], in: name)
        let text = words.dropFirst(action.isEmpty ? 0 : 1).joined(separator: " ")
        switch action {
        case "clear": return try clear(text, asks: text.isEmpty, context)
        case "remove":
            // The numbers change with each search, so the question names the query.
            let query = try AgainCommand.earlier(text, for: name, context).words[0]
            return try clear(query, asks: true, context)
        default: return try list(text, context)
        }
    }

    /// Always asks before it removes a damaged file of the library, which the user may want to recover.
    private static func clear(_ query: String, asks: Bool, _ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(context)
        let subject = query.isEmpty ? "" : " for “\(VisibleText.visible(query))”"
        let snapshot = context.arguments.has(.yes) ? nil : context.librarySnapshot
        let damaged = (snapshot?.damagedFiles ?? []).compactMap { $0[.file]?.string }.map(VisibleText.visible)
        if asks || !damaged.isEmpty {
            let question =
                (query.isEmpty
                    ? "Remove all of your history, and all hits from “seen”?"
                    : "Remove all searches\(subject), and their hits from “seen”?")
                + " A new backup of your library replaces the old ones."
                + (damaged.isEmpty ? "" : " Damaged files are removed, too: \(damaged.joined(separator: ", ")).")
            let command = (["searchctl", "history"] + context.arguments.words + ["--yes"]).map(ShellWord.quoted)
            guard try context.isConfirmed(question, orRun: command.joined(separator: " ")) else { return .interrupted }
        }
        let params = JSONWriter.bytes { writer in if !query.isEmpty { writer.member(.query, query) } }
        let result = try connector.ask(.historyClear, params)
        let last = try? AgainCommand.arguments(of: LastSearchStore.last(context)).words.joined(separator: " ")
        if query.isEmpty || last.map({ SearchQuery($0) == SearchQuery(query) }) ?? true {
            LastSearchStore(context)?.remove()
        }
        let removed = result[.removed]?.int ?? 0
        // The daemon counts the lines of “history”, and a line can mean several searches.
        let lines = NumberText.count(removed, "history entry", "history entries")
        let foundNothing = removed == 0 && !query.isEmpty
        let renewal = "a new backup of your library replaces the old ones, which may contain it"
        let line =
            foundNothing
            ? "no history entry\(subject); \(renewal)" : "removed \(lines)\(subject), and the hits from “seen”"
        try context.report(json: [result.text], or: [line])
        return foundNothing ? .nothingFound : .found
    }

    private static func list(_ prefix: String, _ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(context)
        let limit = context.arguments.number(.limit)
        func entries(_ prefix: String, _ limit: Int?) throws(ClientError) -> [JSONCursor] {
            let params = JSONWriter.bytes { writer in
                if !prefix.isEmpty { writer.member(.prefix, prefix) }
                writer.member(.limit, limit)
            }
            return Array(try connector.ask(.historyList, params)[.entries]?.elements ?? [])
        }
        let listed = try entries(prefix, limit)
        // Show the numbers of the whole list, because “again N” uses them.
        let all = prefix.isEmpty || listed.isEmpty ? listed : try entries("", WireBounds.limit.upperBound)
        let numbers = Dictionary(all.enumerated().map { ($1[.at]?.string ?? "", $0 + 1) }) { first, _ in first }
        let rows = listed.map { entry in
            let number = entry[.at]?.string.flatMap { numbers[$0] }.map { "\($0). " } ?? ""
            return row(entry, number: DisplayWidth.padded(number, 4, toRight: true), context)
        }
        try context.report(json: listed.map(\.text), or: context.layout.table(rows))
        guard listed.isEmpty else { return .found }
        if !context.arguments.has(.json) {
            context.console.report(prefix.isEmpty ? "Your history is empty." : "No earlier search matches.")
        }
        return .nothingFound
    }

    private static func row(_ entry: JSONCursor, number: String, _ context: Context) -> (name: String, text: String) {
        let at = entry[.at]?.string.flatMap { PublishedTime($0, precision: nil) }
        let count = entry[.count]?.int ?? 1
        let times = count > 1 ? " (\(NumberText.grouped(count)) times)" : ""
        let query = VisibleText.visible(entry[.query]?.string ?? "")
        let sources = sources(of: entry)
        let names = sources.isEmpty ? "" : " in \(VisibleText.visible(NumberText.names(sources)))"
        let age = at?.age(at: context.now(), in: context.zone) ?? ""
        return (name: number + age, text: query + times + names.cut(columns: max(16, 60 - Layout.width(query + times))))
    }

    static func sources(of entry: JSONCursor) -> [String] { (entry[.sources]?.elements ?? []).compactMap(\.string) }

    static func suggestions(_ words: [String]) -> [Suggestion] {
        if words.first == "clear" { return [.suggestions(after: Array(words.dropFirst()))] }
        let actions = [Candidate("clear", "remove one query, or all"), Candidate("remove", "remove query N")]
        return (words.isEmpty ? [.words(actions)] : []) + [.suggestions(after: words)]
    }
}

extension CommandOption {
    static let yes = CommandOption("yes", letter: "y", help: "do not ask for a confirmation")
    static let ofHistory = [limit("searches", standard: WireBounds.historyLimitDefault), yes] + ofReport
}
