import JSON
import RPC
import SearchModel

/// What the commands of the library have in common: one call, and its items printed.
struct LibraryCall {
    static let timeoutSeconds = 30

    private let arguments: Arguments
    private let context: Context
    let format: HitFormat

    init(_ arguments: Arguments, _ context: Context) throws(ClientError) {
        self.arguments = arguments
        self.context = context
        format = try HitFormat.chosen(arguments, outputIsTerminal: context.console.outputIsTerminal)
    }

    /// The saved items that words mean: numbers of the last list, ids and their beginnings, also of items that the last
    /// lists had not.
    func ids(_ words: [String]) throws(ClientError) -> [String] {
        let saved = SavedBeginning(arguments: arguments, context: context)
        let selection = HitSelection(LastSearchStore.all(context), hitsMax: WireBounds.libraryItemsMax) {
            word throws(ClientError) in try saved.item(word)
        }
        return try selection.items(words).map(\.id)
    }

    /// Asks the daemon.
    ///
    /// - Throws: What the daemon says, of the command line where that is what is wrong.
    func ask(_ method: MethodName, _ params: [UInt8]? = nil) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try Connector(arguments, context).withExchange { exchange throws(ClientError) in
                try exchange.ask(method, params: params, within: Self.timeoutSeconds)
            }
        } catch {
            throw Self.inWords(error)
        }
    }

    /// An error in the words of the command line, where that is what is wrong.
    static func inWords(_ error: ClientError) -> ClientError {
        var error = error
        error.hint = error.hint?.replacing("library/list", with: "“searchctl library”")
            .replacing("library/get", with: "“searchctl show”")
        // What is said of an item or a note names it only beside the message.
        if let path = error.path, path.hasPrefix("params."), error.code == .init(.invalidParams),
            !error.message.hasPrefix("params.")
        {
            error.message = "\(path): \(error.message)"
        }
        return OptionWords.translate(
            error,
            [
                (.query, "--query"), (.kinds, "--kind"), (.sources, "--source"), (.tags, "--tag"), (.add, ""),
                (.remove, "--remove"), (.ids, ""), (.id, ""), (.note, "note"), (.items, ""), (.limit, "--limit"),
                (.groupBy, "--group-by"), (.offset, "--page"), (.sort, "--sort"),
            ]
        )
    }

    /// Prints items: for programs each in its format, for people as a sentence makes of each.
    func print(_ items: [JSONCursor], _ sentence: (SavedText) -> String) throws(ClientError) {
        let printer = Printer(context.console)
        switch format {
        case .json: for item in items { try printer.print(json: item.text) }
        case .lines(let format):
            let texts = items.enumerated().map { format.text($1, number: $0 + 1, zone: context.zone) }
            try printer.print(texts.joined())
        case .text: try printer.print(items.map { sentence(SavedText($0)) + "\n" }.joined())
        }
    }

    /// Tells a person what JSON says already.
    func tell(_ text: String) throws(ClientError) {
        if case .text = format { try Printer(context.console).print(text + "\n") }
    }
}
