import JSON
import RPC
import SearchModel

/// Makes the calls of one library command, and prints the returned items.
struct LibraryCall {
    private let context: Context
    let format: HitFormat

    init(_ context: Context) throws(ClientError) {
        self.context = context
        format = try HitFormat.chosen(context)
    }

    func ids(_ words: [String]) throws(ClientError) -> [String] {
        try SavedItemPrefix(context).selection(hitsMax: WireBounds.libraryItemsMax).items(words).map(\.id)
    }

    func ask(_ method: MethodName, _ params: [UInt8]? = nil) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try Connector(context).ask(method, params)
        } catch {
            // The daemon's error contains the id. Instead, name the word that the user typed, such as a number.
            guard error.code == .init(.notFound), [.libraryTag, .libraryNote, .libraryGet].contains(method) else {
                throw error
            }
            let word = context.arguments.words[0]
            let hint = "Save it first with “searchctl save \(word)”."
            throw ClientError(error.code, "“\(word)” is not saved", hint: hint)
        }
    }

    func print(_ items: [JSONCursor], _ sentence: (SavedText) -> String) throws(ClientError) {
        switch format {
        case .json: for item in items { try context.console.print(json: item.text) }
        case .lines(let format):
            let texts = items.enumerated().map { format.text($1, number: $0 + 1, zone: context.zone) }
            try context.console.print(texts.joined())
        case .text: for item in items { try tell(sentence(SavedText(item))) }
        }
    }

    func tell(_ text: String) throws(ClientError) {
        guard case .text = format else { return }
        let lines = context.console.outputIsTerminal ? context.layout.fitted(text) : [text]
        try context.console.print(lines.map { $0 + "\n" }.joined())
    }
}
