import JSON
import RPC
import SearchModel

/// `searchctl library`: what is saved, in a list or in groups.
enum LibraryCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        if arguments.has(.watch) { return try LibraryWatch.run(arguments, context) }
        let call = try LibraryCall(arguments, context)
        let result = try call.ask(.libraryList, params(arguments))
        let groups = result[.groups].map { Array($0.elements) }
        let items =
            groups.map { $0.flatMap { Array($0[.items]?.elements ?? []) } }
            ?? Array(result[.items]?.elements ?? [])
        let list = LibraryList(arguments, context, query: arguments.text(.libraryQuery) ?? "", count: items.count)
        var number = 0
        if let groups {
            for group in groups {
                try call.tell(list.heading(group))
                let members = Array(group[.items]?.elements ?? [])
                try call.print(members, list.text(after: number))
                number += members.count
            }
        } else {
            try call.print(items, list.text(after: 0))
        }
        // “show 3”, “note 3” and the like mean this list.
        let words = LastSearchStore.all(context).first?.words ?? []
        LastSearchStore(context)?.save(
            LastSearch(session: context.console.session, words: words, firstNumber: 1, hits: items)
        )
        if !arguments.has(.quiet) { summarize(result, items.count, context) }
        return items.isEmpty ? .nothingFound : .found
    }

    private static func params(_ arguments: Arguments) -> [UInt8] {
        JSONWriter.bytes { writer in
            writer.member(.query, arguments.text(.libraryQuery))
            for (member, option) in [(Member.kinds, CommandOption.kind), (.sources, .source), (.tags, .tag)] {
                let words = arguments.texts(option).flatMap { $0.split(separator: ",").map(String.init) }
                if !words.isEmpty { writer.member(member, words) }
            }
            writer.member(.sort, arguments.text(.librarySort))
            writer.member(.groupBy, arguments.text(.groupBy))
            writer.member(.limit, arguments.number(.limit))
        }
    }

    private static func summarize(_ result: JSONCursor, _ shown: Int, _ context: Context) {
        guard context.console.errorsIsTerminal else { return }
        let total = result[.total]?.int ?? 0
        let rest = shown < total ? ", \(shown) of them here" : ""
        context.console.report(total == 0 ? "Nothing is saved." : "\(FigureText.count(total, "saved item"))\(rest)")
    }
}

/// How the items of a list look; pure.
struct LibraryList {
    private let hits: HitText
    private let style: Style

    init(_ arguments: Arguments, _ context: Context, query: String, count: Int) {
        let console = context.console
        style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        hits = HitText(
            .compact,
            columns: console.columns,
            numberMax: count,
            query: query,
            style: style,
            now: context.now(),
            zone: context.zone
        )
    }

    func heading(_ group: JSONCursor) -> String {
        let name = group[.name]?.string ?? ""
        return style.bold(VisibleText.visible(name.isEmpty ? "(none)" : name)) + " "
            + style.dim("\(group[.count]?.int ?? 0)")
    }

    /// A hit as a search shows it, with what the user has added below; each with the next number.
    func text(after last: Int) -> (SavedText) -> String {
        var number = last
        return { [hits, style] saved in
            number += 1
            var text = hits.text(FoundHit(saved.item), number: number)
            let cells = Cell.cells(saved.additions)
            if !cells.isEmpty {
                let line = LineWrap.cut(cells, columns: hits.textColumns).map(\.text).joined()
                text += hits.margin + style.dim(line) + "\n"
            }
            return String(text.dropLast())
        }
    }
}

/// The options of `library`.
extension CommandOption {
    static let libraryQuery = CommandOption(
        "query",
        letter: "q",
        value: .text("WORDS"),
        help: "only items with these words",
        manual: "In title, snippet, author, notes or tags: begun words, initials (ㄱㅇㅇ), half-typed ones, also typed in "
            + "the other keyboard layout."
    )
    static let librarySort = CommandOption(
        "sort",
        value: .choice("ORDER", of: ["saved", "published", "title", "relevance", "rating"]),
        help: "saved, title, rating, …"
    )
    static let groupBy = CommandOption(
        "group-by",
        value: .choice("WHAT", of: ["genre", "kind", "source", "tag", "month"]),
        help: "genre, kind, source, …"
    )
    static let watch = CommandOption("watch", help: "print changes as they come")
    static let ofLibrary = [
        libraryQuery, kind, source, tag, groupBy, librarySort, limit, watch, json, plain, format, field,
    ]
}
