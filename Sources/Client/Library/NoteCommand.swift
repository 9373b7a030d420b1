import JSON
import RPC
import SearchModel

/// `searchctl note ID TEXT`: adds a note to a saved item, whose text can also come from standard input.
enum NoteCommand {
    /// The longest text that the daemon accepts.
    private static let textBytesMax = 1 << 20

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(arguments, context)
        let ids = try call.ids([arguments.words[0]])
        guard let id = ids.first, ids.count == 1 else {
            throw ClientError(.usage, "a note can be added to one item, not to \(FigureText.grouped(ids.count))")
        }
        var text = arguments.words.dropFirst().joined(separator: " ")
        if let number = arguments.text(.removedNote) {
            guard text.isEmpty else { throw ClientError(.usage, "--remove takes no text") }
            return try remove(number, of: id, call)
        }
        let (title, rating) = (arguments.text(.noteTitle), arguments.number(.rating))
        let isBare = text.isEmpty && title == nil && rating == nil
        if isBare, arguments.words.count > 1 {
            let last = try notes(of: id, call).last?[.id]?.string
            guard let number = arguments.text(.replacedNote) ?? last else {
                throw ClientError(.init(.notFound), "the item has no note")
            }
            return try remove(number, of: id, call)
        }
        if isBare {
            if context.console.errorsIsTerminal { context.console.report("Type the text, then press Ctrl-D.") }
            let console = context.console
            let bytes = try DescriptorIO.readAll(console.input, console.interrupt, bytesMax: textBytesMax)
            text = LibraryEntry.lines(String(decoding: bytes, as: UTF8.self)) ?? ""
            guard !text.isEmpty else { throw ClientError(.usage, "the text is empty") }
        }
        let hasText = !text.isEmpty || title != nil
        let old = hasText && !arguments.has(.replacedNote) ? nil : try replaced(arguments, of: id, call)
        var note = old.map(LibraryEntry.Note.init) ?? LibraryEntry.Note()
        if !text.isEmpty { note.text = text }
        note.title = title ?? note.title
        note.rating = rating ?? note.rating
        let number = old?[.id]?.string
        if note.rating == 0 { note.rating = nil }
        if rating == 0, note.isEmpty {
            guard let number else { throw ClientError(.init(.notFound), "the item has no rating") }
            return try remove(number, of: id, call)
        }
        return try write(note, on: id, replacing: number, call)
    }

    /// Returns the note to change: the note of --replace, or the latest note with a rating.
    private static func replaced(
        _ arguments: Arguments,
        of id: String,
        _ call: LibraryCall
    ) throws(ClientError) -> JSONCursor? {
        let notes = try notes(of: id, call)
        guard let number = arguments.text(.replacedNote) else { return notes.last { $0[.rating]?.int != nil } }
        guard let note = notes.first(where: { $0[.id]?.string?.hasSameBytes(as: number) == true }) else {
            let hint = "“searchctl show” lists its notes."
            throw ClientError(.init(.notFound), "the item has no note \(number)", hint: hint)
        }
        return note
    }

    private static func notes(of id: String, _ call: LibraryCall) throws(ClientError) -> [JSONCursor] {
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        return Array(item?[.notes]?.elements ?? [])
    }

    private static func write(
        _ note: LibraryEntry.Note,
        on id: String,
        replacing number: String?,
        _ call: LibraryCall
    ) throws(ClientError) -> ExitStatus {
        try change(id, call) { writer in
            writer.object(.note) { writer in
                writer.member(.id, number)
                note.write(to: &writer)
            }
        }
    }

    private static func remove(_ number: String, of id: String, _ call: LibraryCall) throws(ClientError) -> ExitStatus {
        try change(id, call) { $0.member(.remove, number) }
    }

    private static func change(
        _ id: String,
        _ call: LibraryCall,
        _ members: (inout JSONWriter) -> Void
    ) throws(ClientError) -> ExitStatus {
        let params = JSONWriter.bytes { writer in
            writer.member(.id, id)
            members(&writer)
        }
        try call.print(call.ask(.libraryNote, params)[.items]?.elements ?? []) { text in
            "\(text.name): \(text.additions.isEmpty ? "no notes" : text.additions)"
        }
        return .found
    }
}

/// The options of `note`.
extension CommandOption {
    static let rating = CommandOption(
        "rating",
        value: .number("N", in: 0...WireBounds.rating.upperBound),
        help: "rate the item with 1 to 5 stars; 0 removes the rating"
    )
    static let noteTitle = CommandOption("title", value: .text("TEXT"), help: "set a title above the text")
    static let replacedNote = CommandOption(
        "replace",
        value: .text("NOTE"),
        help: "change this note instead of adding a note",
        manual:
            "NOTE is the number of the note, which “searchctl show” prints. If no text, title or rating is given, the "
            + "old one is kept."
    )
    static let removedNote = CommandOption("remove", value: .text("NOTE"), help: "remove this note")
}
