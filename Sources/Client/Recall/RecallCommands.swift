import EventLoop
import Glibc
import JSON
import SearchModel

/// `searchctl open N…`: hits of the last search in the browser.
enum OpenCommand {
    static let hitsMax = 20

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let search = try LastSearchStore.load(context)
        var targets: [String] = []
        for word in arguments.words {
            let hit = FoundHit(try search.hit(word))
            guard let target = hit.url.flatMap(Style.linkTarget) else {
                throw ClientError(
                    .init(.notFound),
                    "“\(word)” has no web address",
                    hint: "“searchctl show \(word)” tells what it has"
                )
            }
            targets.append(target)
        }
        let browser = try Browser(context.environment)
        for target in targets { try browser.open(target) }
        return .found
    }
}

/// `searchctl show N`: all that is known of a hit of the last search.
enum ShowCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
        let search = try LastSearchStore.load(context)
        let style = Style(arguments, environment: context.environment, isTerminal: context.console.outputIsTerminal)
        let printer = Printer(context.console)
        let hits = try arguments.words.map { word throws(ClientError) in try search.hit(word) }
        for (index, hit) in hits.enumerated() {
            switch format {
            case .json: try printer.print(json: hit.text)
            case .lines(let format):
                try printer.print(format.text(hit, number: index + 1, isFirst: index == 0))
            case .text:
                if index > 0 { try printer.print("\n") }
                try printer.print(HitDetails(columns: context.console.columns, style: style).text(hit))
            }
        }
        if let warning = MissingField.warning(format, hits) { context.console.report(FailureText.line(warning)) }
        return .found
    }
}

/// `searchctl again`: the last search of this terminal once more, with other options.
enum AgainCommand {
    /// Options of which a new one replaces any old one.
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
