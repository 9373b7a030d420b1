package import Client
import JSON
import RPC
import SearchModel
import Terminal

/// The command `searchctl live`, which searches on the whole screen as the user types.
package enum LiveCommand {
    package static let command = Command(
        "live",
        .find,
        arguments: "[QUERY…]",
        wordCount: 0...Command.wordsMax,
        summary: "search as you type, on the whole screen",
        details: [
            "Hits appear while you type. ↓ moves to the list of hits. There, Enter opens a hit, s saves the hit, d "
                + "shows its details, L shows your library, and q quits. F1 lists all keys."
        ],
        manual: [
            "Hits appear as sources respond. The line below the list shows which sources have not answered, which "
                + "failed and why, and which answers came from the cache. Scrolling loads more hits. Keys also work "
                + "with a Korean keyboard layout.",
            "Words such as site:example.org, since:2024-03-09, since:7d and until:2024 in the search field filter the "
                + "hits.",
            "A query is recorded in the history when you move to its hits.",
            "Keys in the list and the details: \(LiveHelp.sentence(LiveKeys.list)).",
            "Keys in the search field: \(LiveHelp.sentence(LiveKeys.field)). The keys that edit a line in a shell work "
                + "too.",
            "Keys that work everywhere: \(LiveHelp.sentence(LiveKeys.always)).",
            "A click selects a hit, and a second click shows its details. The wheel moves up and down. In most "
                + "terminals, Shift and the mouse select text.",
            "Books, videos and apps have a picture. Details have a larger picture. An image search shows tiles. "
                + "Pictures need the program chafa. If the terminal supports kitty's protocol, pictures are exact. If "
                + "not, pictures are made of coloured characters. If the terminal does not answer within a second, "
                + "there are no pictures.",
            "To remove a note, save it without text and stars. u undoes changes of the library.",
        ],
        options: [.source, .kind, .sort],
        examples: ["searchctl live", "searchctl live -s @books 고양이"],
        suggestions: { [.suggestions(after: $0)] },
        run: run
    )

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let runner = try ScreenRunner("live", context, hint: "“searchctl search” works on any terminal.")
        let search = LiveSearch(
            sort: context.arguments.text(.sort).flatMap { Sort(exactly: $0) } ?? .relevance,
            kinds: context.arguments.names(.kind),
            sources: context.arguments.names(.source)
        )
        // Connect first: the alternate screen would hide an error.
        let connection = try Connector(context).connect()
        let program = LiveProgram(
            context,
            LiveModel(
                query: context.arguments.words.joined(separator: " "),
                search: search,
                now: context.now,
                zone: context.zone,
                keys: connection.keys
            ),
            connection,
            starter: try Connector(context, starting: .own),
            finder: try Connector(context, starting: .nothing)
        )
        return try runner.run(program)
    }
}
