import JSON
import SearchModel

/// The command `searchctl again`, which repeats the last search of this terminal with other options.
enum AgainCommand {
    /// Options that change the list, so that it must start at its first page.
    private static let listing: [CommandOption] = [
        .source, .kind, .limit, .sort, .since, .until, .site, .has, .option,
    ]
    /// Groups of options that exclude each other, so that a new option replaces the old options of its group.
    private static let rivals: [[CommandOption]] = [
        [.page, .all], [.fresh, .maxAge, .offline], [.json, .plain, .format, .field], [.limit, .all],
    ]

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let last = try arguments(of: LastSearchStore.last(context))
        var arguments = merged(last, with: context.arguments)
        // The same list is searched again, so wait for slow sources too.
        if !(listing + [.page]).contains(where: context.arguments.has) {
            arguments.append(.present, of: .waitForAll)
        }
        let search = context.with(arguments)
        SearchCommand.tell(search)
        return try SearchCommand.run(search)
    }

    static func arguments(of search: LastSearch?) throws(ClientError) -> Arguments {
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

    static let output: [CommandOption] = [.json, .format, .field, .stream, .raw, .explain]

    static func merged(_ last: Arguments, with new: Arguments) -> Arguments {
        let places: [CommandOption] = listing.contains(where: new.has) ? [.page] : []
        let outdated = rivals.filter { $0.contains(where: new.has) }.flatMap(\.self) + places + output
        return last.without(outdated).overridden(by: new)
    }
}
