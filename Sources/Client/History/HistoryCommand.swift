import Hangul
import JSON
import RPC
import SearchModel

/// The command `searchctl history`, which lists earlier searches or clears them.
enum HistoryCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let isClearing = context.arguments.words.first == "clear"
        let action = isClearing ? "history clear" : "history"
        try context.arguments.allow([isClearing ? .yes : .limit], of: [.yes, .limit], in: action)
        let text = context.arguments.words.dropFirst(isClearing ? 1 : 0).joined(separator: " ")
        return try isClearing ? clear(text, context) : list(text, context)
    }

    private static func clear(_ query: String, _ context: Context) throws(ClientError) -> ExitStatus {
        let connector = try Connector(context)
        let question = "Remove all of your history, and all hits from “seen”?"
        if query.isEmpty {
            let isConfirmed = try context.isConfirmed(question, orRun: "searchctl history clear --yes")
            guard isConfirmed else { return .interrupted }
        }
        let params = JSONWriter.bytes { writer in if !query.isEmpty { writer.member(.query, query) } }
        let result = try connector.ask(.historyClear, params)
        let last = try? AgainCommand.arguments(of: LastSearchStore.last(context)).words.joined(separator: " ")
        if query.isEmpty || last.map({ SearchQuery($0) == SearchQuery(query) }) ?? true {
            LastSearchStore(context)?.remove()
        }
        let removed = result[.removed]?.int ?? 0
        let counted = NumberText.count(removed, "query", "queries")
        let line = removed == 0 ? "nothing to remove" : "removed \(counted), also from “seen”"
        try context.report(json: [result.text], or: [line])
        return removed == 0 && !query.isEmpty ? .nothingFound : .found
    }

    private static func list(_ prefix: String, _ context: Context) throws(ClientError) -> ExitStatus {
        let params = JSONWriter.bytes { writer in
            if !prefix.isEmpty { writer.member(.prefix, prefix) }
            writer.member(.limit, context.arguments.number(.limit))
        }
        let connector = try Connector(context)
        let entries = Array(try connector.ask(.historyList, params)[.entries]?.elements ?? [])
        let sources = try sources(of: entries, connector)
        let rows = entries.enumerated().map { index, entry in
            let at = entry[.at]?.string.flatMap { PublishedTime($0, precision: nil) }
            let count = entry[.count]?.int ?? 1
            let times = count > 1 ? "  (\(NumberText.grouped(count)) times)" : ""
            let query = VisibleText.visible(entry[.query]?.string ?? "")
            let age = at?.age(at: context.now(), in: context.zone) ?? ""
            // “again N” counts in the whole list, so a list with a prefix has no numbers.
            let number = DisplayWidth.padded("\(index + 1). ", 4, toRight: true)
            let names = sources[index].isEmpty ? "" : "  in \(VisibleText.visible(NumberText.names(sources[index])))"
            let shown = LineWrap.cut(Cell.cells(names), columns: max(16, 60 - Layout.width(query + times)))
            return (name: prefix.isEmpty ? number + age : age, text: query + times + shown.map(\.text).joined())
        }
        try context.report(json: entries.map(\.text), or: context.layout.table(rows))
        if !prefix.isEmpty, !entries.isEmpty, context.console.outputIsTerminal {
            context.console.report("To repeat a search, run “searchctl search QUERY”.")
        }
        guard entries.isEmpty else { return .found }
        if !context.arguments.has(.json) {
            context.console.report(prefix.isEmpty ? "Your history is empty." : "No earlier search matches.")
        }
        return .nothingFound
    }

    /// Returns the sources of each entry, or none if they are the default sources.
    static func sources(of entries: [JSONCursor], _ connector: Connector) throws(ClientError) -> [[String]] {
        let lists = entries.map { ($0[.sources]?.elements ?? []).compactMap(\.string) }
        if lists.allSatisfy(\.isEmpty) { return lists }
        let profiles = try connector.ask(.sourceList)[.profiles]?.elements ?? []
        // The default sources vary, so these are not compared: the language of Wikipedia and sources about programming
        // depend on the query, and an offline search also searches library and seen.
        func chosen(_ names: [String]) -> Set<String> {
            Set(names.map { $0.hasPrefix("wikipedia.") ? "wikipedia" : $0 })
                .subtracting(["stackexchange.questions", "hackernews.stories", "library", "seen"])
        }
        let profile = profiles.first { $0[.name]?.string == MissingKeys.standard }?[.sources]?.elements ?? []
        let standard = chosen(profile.compactMap(\.string))
        return lists.map { chosen($0) == standard ? [] : $0 }
    }

    static func suggestions(_ words: [String]) -> [Suggestion] {
        if words.first == "clear" { return [.suggestions(after: Array(words.dropFirst()))] }
        let clear = Suggestion.words([Candidate("clear", "remove one query, or all")])
        return (words.isEmpty ? [clear] : []) + [.suggestions(after: words)]
    }
}

extension CommandOption {
    static let yes = CommandOption("yes", letter: "y", help: "do not ask for a confirmation")
    static let ofHistory = [limit("searches", standard: WireBounds.historyLimitDefault), yes] + ofReport
}
