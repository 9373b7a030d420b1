package import Client
import JSON
import RPC
import SearchModel
import Terminal

/// `searchctl live`: search as you type, on the whole screen.
package enum LiveCommand {
    package static let command = Command(
        "live",
        .find,
        arguments: "[QUERY…]",
        wordCount: 0...Command.wordsMax,
        summary: "search as you type, on the whole screen",
        details: [
            "Hits appear while you type. ↓ moves to them: there, Enter opens a hit, s saves it, d shows its details, L shows "
                + "your library, q quits. F1 lists all keys."
        ],
        manual: [
            "Hits appear as sources respond. The strip below them shows which sources have not answered, which failed and "
                + "why, and which answers came from the cache. Scrolling loads more hits. Keys work with a Korean keyboard "
                + "layout too.",
            "Words such as site:example.org, since:2024-03-09, since:7d and until:2024 in the search field filter the hits.",
            "A query is recorded in the history when you move to its hits.",
            "In the list and the details: \(LiveHelp.sentence(LiveKeys.list)).",
            "In the search field: \(LiveHelp.sentence(LiveKeys.field)); and the keys that edit a line in a shell.",
            "Everywhere: \(LiveHelp.sentence(LiveKeys.always)). A click selects, a second one shows the details; the wheel "
                + "moves up and down; with Shift, most terminals select text as usual.",
            "Books, videos and apps have a picture, an image search shows tiles, and details have a larger picture. If "
                + "chafa is installed, it draws them, with kitty's protocol if the terminal supports it, otherwise as "
                + "coloured characters. A terminal that does not answer within a second shows none.",
            "An empty note without stars is removed. u undoes changes of the library.",
        ],
        options: [.source, .kind, .sort],
        examples: ["searchctl live", "searchctl live -s @books 고양이"],
        suggestions: { [.suggestions(after: $0)] },
        run: run
    )

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let runner = try ScreenRunner("live", arguments, context, hint: "“searchctl search” works on any terminal.")
        let search = LiveSearch(
            sort: arguments.text(.sort).flatMap { Sort(exactly: $0) } ?? .relevance,
            kinds: names(arguments.texts(.kind)),
            sources: names(arguments.texts(.source))
        )
        // Before the screen is switched, so that an error stays visible.
        let connection = try Connector(arguments, context).connect()
        let program = LiveProgram(
            context,
            LiveModel(
                query: arguments.words.joined(separator: " "),
                search: search,
                now: context.now,
                zone: context.zone,
                keys: connection.keys
            ),
            connection,
            starter: try Connector(arguments, context, starting: .own),
            finder: try Connector(arguments, context, starting: .nothing)
        )
        return try runner.run(program)
    }

    private static func names(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",").map(String.init) }
    }
}
