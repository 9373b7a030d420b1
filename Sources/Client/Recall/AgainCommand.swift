/// `searchctl again`: the last search of this terminal once more, with other options.
enum AgainCommand {
    /// Options of which a new one takes the place of any old one.
    private static let rivals: [[CommandOption]] = [
        [.page, .offset, .all], [.fresh, .maxAge, .offline], [.json, .plain, .format, .field], [.limit, .all],
    ]

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let words = try LastSearchStore.load(context).words
        guard case .run(_, let last) = try CommandLineParser.parse(["search"] + words, commands: CommandTable.commands)
        else { throw ClientError(.usage, "the last search can't be repeated", hint: "Search again in full") }
        return try SearchCommand.run(merged(last, with: arguments), context)
    }

    static func merged(_ last: Arguments, with new: Arguments) -> Arguments {
        let outdated = rivals.filter { $0.contains(where: new.has) }.flatMap(\.self)
        return last.without(outdated).overridden(by: new)
    }
}
