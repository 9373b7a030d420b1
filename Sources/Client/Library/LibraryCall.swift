import JSON
import RPC
import SearchModel

/// What the commands of the library have in common: one call, and its items printed.
struct LibraryCall {
    static let timeoutSeconds = 30

    private let arguments: Arguments
    private let context: Context
    private let format: HitFormat

    init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        self.arguments = arguments
        self.context = context
        format = try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
    }

    /// The items that words mean: numbers, ids and their beginnings.
    func items(_ words: [String]) throws(ClientError) -> [HitSelection.Item] {
        try HitSelection(LastSearchStore.all(context)).items(words)
    }

    func ids(_ words: [String]) throws(ClientError) -> [String] {
        try items(words).map(\.id)
    }

    /// Asks the daemon.
    ///
    /// - Throws: What the daemon says, of the command line where that is what is wrong.
    func ask(_ method: MethodName, _ params: [UInt8]) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                try exchange.ask(method, params: params, within: Self.timeoutSeconds)
            }
        } catch {
            throw OptionWords.translate(
                error,
                [
                    (.query, "--query"), (.kinds, "--kind"), (.sources, "--source"), (.tags, "--tag"), (.add, ""),
                    (.remove, "--remove"), (.ids, ""), (.id, ""), (.note, "note"), (.items, ""), (.limit, "--limit"),
                    (.groupBy, "--group-by"),
                ]
            )
        }
    }

    /// Prints items: as JSON each on a line, for people as a sentence makes of each.
    func print(_ items: [JSONCursor], _ sentence: (SavedText) -> String) throws(ClientError) {
        let printer = Printer(context.console)
        for (index, item) in items.enumerated() {
            switch format {
            case .json: try printer.print(json: item.text)
            case .lines(let format):
                try printer.print(format.text(item, number: index + 1, isFirst: index == 0, zone: context.zone))
            case .text: try printer.print(sentence(SavedText(item)) + "\n")
            }
        }
    }

    /// Tells a person what JSON says already.
    func tell(_ text: String) throws(ClientError) {
        if case .text = format { try Printer(context.console).print(text + "\n") }
    }
}

/// What is said of a saved item in a line; pure.
struct SavedText {
    let item: JSONCursor

    init(_ item: JSONCursor) {
        self.item = item
    }

    var id: String { item[.id]?.string ?? "?" }

    /// Its title, as far as it fits into a sentence.
    var name: String {
        let title = item[.title]?.string ?? ""
        let cut = LineWrap.cut(Cell.cells(title.isEmpty ? HitText.untitled : title), columns: 48)
        return "“\(cut.map(\.text).joined())”"
    }

    /// Tags, rating and notes, in that order; empty when it has none.
    var additions: String {
        let tags = (item[.tags]?.elements ?? []).compactMap(\.string).map { "#" + VisibleText.visible($0) }
        let notes = Array(item[.notes]?.elements ?? [])
        let rating = notes.compactMap { $0[.rating]?.int }.max().map { String(repeating: "★", count: $0) }
        let texts = notes.compactMap { note in
            [note[.title]?.string, note[.text]?.string].compactMap(\.self).joined(separator: ": ")
        }
        let written = texts.filter { !$0.isEmpty }.joined(separator: " · ").replacing("\n", with: " ")
        return (tags + [rating, written.isEmpty ? nil : written].compactMap(\.self)).joined(separator: "  ")
    }
}
