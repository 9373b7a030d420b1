package import Client
import JSON
import RPC
import SearchModel
import Terminal

/// `searchctl live`: a search on the whole screen.
package enum LiveCommand {
    package static let command = Command(
        "live",
        .find,
        arguments: "[QUERY…]",
        wordCount: 0...Command.wordsMax,
        summary: "search as you type, on the whole screen",
        details: [
            "Hits come while you type; ↓ goes to them, Enter opens one, s saves it, d shows all of it, L is your "
                + "library, ? lists the keys, q quits.",
            "It follows your library: what another program saves is marked at once.",
        ],
        manual: [
            "Hits are shown as the sources answer; the strip below says who is still out, who failed and why, and what "
                + "came from the cache. The list goes on as it is scrolled. Letters typed in the mode of Hangul are the "
                + "keys they stand on.",
            "Words such as site:example.org, since:2024-03-09 and until:2024 in the search field filter the hits.",
            "In the list and the details: \(LiveHelp.sentence(LiveKeys.list)).",
            "In the search field: \(LiveHelp.sentence(LiveKeys.field)); and the keys that edit a line in a shell.",
            "Everywhere: \(LiveHelp.sentence(LiveKeys.always)). A click selects, a second one shows the details; the wheel "
                + "goes up and down; with Shift, most terminals select text as usual.",
            "Books, videos and apps have their pictures beside them, a search for images is a grid, and details have the "
                + "picture above them: by the protocol of kitty where the terminal answers that it knows it, else in coloured "
                + "characters; none where it answers late. chafa draws them, if it is installed.",
            "A note that is left empty, without stars, is removed. Whatever changes the library can be undone with u.",
        ],
        options: CommandOption.ofLive,
        examples: ["searchctl live", "searchctl live -s @books 고양이"],
        suggestions: { [.suggestions(after: $0)] },
        run: run
    )

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let runner = try ScreenRunner("live", arguments, context, hint: "“searchctl search” works on any terminal.")
        let program = try LiveProgram(
            context,
            search(arguments),
            // Before the screen is switched, so that an error stays visible.
            Connector(arguments, context).connect(),
            starter: Connector(arguments, context, starting: .own),
            finder: Connector(arguments, context, starting: .nothing)
        )
        return try runner.run(program)
    }

    private static func search(_ arguments: Arguments) -> LiveSearch {
        LiveSearch(
            query: arguments.words.joined(separator: " "),
            kinds: names(arguments.texts(.kind)),
            sources: names(arguments.texts(.source)),
            sort: arguments.text(.sort).flatMap { Sort(exactly: $0) } ?? .relevance
        )
    }

    private static func names(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",").map(String.init) }
    }
}

extension CommandOption {
    static let ofLive = [source, kind, sort]
}
