import JSON
import RPC
import SearchModel

/// The command `searchctl again`, which repeats the last search of this terminal, or a search of the history.
enum AgainCommand {
    private static let listing: [CommandOption] = [
        .source, .kind, .limit, .sort, .since, .until, .site, .has, .option,
    ]
    /// Options of one group can't be combined, so a new option replaces the old options of the same group.
    private static let rivals: [[CommandOption]] = [
        [.page, .all], [.fresh, .maxAge, .offline], [.json, .plain, .format, .field], [.limit, .all],
    ]

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let number = context.arguments.words.first
        let last =
            if let number {
                try earlier(number, for: "again", context)
            } else {
                try arguments(of: LastSearchStore.last(context))
            }
        var arguments = merged(last, with: context.arguments)
        if number == nil, !(listing + [.page]).contains(where: context.arguments.has) {
            arguments.append(.present, of: .waitForAll)
        }
        let search = context.with(arguments)
        SearchCommand.tell(search)
        return try SearchCommand.run(search)
    }

    /// Returns the arguments of the search with this number in the history.
    static func earlier(_ word: String, for command: String, _ context: Context) throws(ClientError) -> Arguments {
        guard let number = Int(word), WireBounds.limit.contains(number) else {
            let hint = "“searchctl history” lists the numbers. To search for a text, run “searchctl search”."
            let other = word.isEmpty ? "" : ", not “\(word)”"
            throw ClientError(.usage, "“\(command)” needs the number of an earlier search\(other)", hint: hint)
        }
        let params = JSONWriter.bytes { $0.member(.limit, number) }
        let entries = Array(try Connector(context).ask(.historyList, params)[.entries]?.elements ?? [])
        guard entries.count == number, let query = entries[number - 1][.query]?.string else {
            let count = NumberText.count(entries.count, "search", "searches")
            let message = entries.isEmpty ? "your history is empty" : "your history has only \(count)"
            throw ClientError(.init(.notFound), message)
        }
        var arguments = Arguments(words: [query])
        let sources = HistoryCommand.sources(of: entries[number - 1])
        if !sources.isEmpty { arguments.append(.text(sources.joined(separator: ",")), of: .source) }
        return arguments
    }

    static func arguments(of search: LastSearch?) throws(ClientError) -> Arguments {
        guard let search, !search.words.isEmpty else {
            let hint = "Run “searchctl search QUERY” first."
            throw ClientError(.init(.notFound), LastSearch.missing, hint: hint)
        }
        let words = ["search"] + search.words
        guard case .run(_, let arguments) = try CommandLineParser.parse(words, commands: CommandTable.commands) else {
            throw ClientError(.usage, "the last search can't be repeated", hint: "Run “searchctl search” instead.")
        }
        return arguments
    }

    static let output: [CommandOption] = [.json, .format, .field, .stream, .raw, .explain]

    static func merged(_ last: Arguments, with new: Arguments) -> Arguments {
        let places: [CommandOption] = listing.contains(where: new.has) ? [.page] : []
        let outdated = rivals.filter { $0.contains(where: new.has) }.flatMap(\.self) + places + output
        return last.without(outdated).overridden(by: new)
    }
}
