import JSON
import SearchModel

/// `searchctl again`: the last search of this terminal once more, with other options.
enum AgainCommand {
    /// Options that change the list, so that it is shown from its start.
    private static let listing: [CommandOption] = [
        .source, .kind, .limit, .sort, .since, .until, .site, .has, .option,
    ]
    /// A new option replaces all old ones of its group.
    private static let rivals: [[CommandOption]] = [
        [.page, .offset, .all], [.fresh, .maxAge, .offline], [.json, .plain, .format, .field], [.limit, .all],
    ]

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let search = try merged(self.arguments(of: LastSearchStore.last(context)), with: arguments)
        SearchCommand.tell(search, context)
        return try SearchCommand.run(search, context)
    }

    static func arguments(of search: LastSearch?) throws(ClientError) -> Arguments {
        // The last list may be one of the library.
        guard let search, !search.words.isEmpty else {
            let hint = "Run “searchctl search QUERY” first."
            throw ClientError(.init(.notFound), "nothing was searched here yet", hint: hint)
        }
        let words = ["search"] + search.words
        guard case .run(_, let arguments) = try CommandLineParser.parse(words, commands: CommandTable.commands) else {
            throw ClientError(.usage, "the last search can't be repeated", hint: "Search again in full.")
        }
        return arguments
    }

    /// Options of output, which are not repeated.
    static let output: [CommandOption] = [.json, .format, .field, .stream, .raw, .explain]

    static func merged(_ last: Arguments, with new: Arguments) -> Arguments {
        let places: [CommandOption] = listing.contains(where: new.has) ? [.page, .offset] : []
        let outdated = rivals.filter { $0.contains(where: new.has) }.flatMap(\.self) + places + output
        return last.without(outdated).overridden(by: new)
    }
}
