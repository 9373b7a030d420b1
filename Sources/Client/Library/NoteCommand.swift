import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl note`, which adds, changes or removes a note of a saved item.
enum NoteCommand {
    private static let textBytesMax = 1 << 20

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(context)
        let ids = try call.ids([context.arguments.words[0]])
        guard let id = ids.first, ids.count == 1 else {
            throw ClientError(.usage, "a note can be added to one item, not to \(NumberText.grouped(ids.count))")
        }
        var text = context.arguments.words.dropFirst().joined(separator: " ")
        if let number = context.arguments.number(.removedNote) {
            guard text.isEmpty else { throw ClientError(.usage, "--remove takes no text") }
            return try remove(named(number, of: id, call), of: id, call)
        }
        let (title, rating) = (context.arguments.text(.noteTitle), context.arguments.number(.rating))
        let isBare = text.isEmpty && title == nil && rating == nil
        if isBare, context.arguments.words.count > 1 {
            return try remove(named(context.arguments.number(.replacedNote), of: id, call), of: id, call)
        }
        if isBare {
            if isatty(context.console.input) == 1 { context.console.report("Type the text, then press Ctrl-D.") }
            let console = context.console
            let bytes = try DescriptorIO.readAll(console.input, console.interrupt, bytesMax: textBytesMax)
            text = LibraryEntry.lines(String(decoding: bytes, as: UTF8.self)) ?? ""
            guard !text.isEmpty else { throw ClientError(.usage, "the text is empty") }
        }
        let hasText = !text.isEmpty || title != nil
        var old: JSONCursor?
        if let number = context.arguments.number(.replacedNote) {
            old = try named(number, of: id, call)
        } else if !hasText {
            old = try notes(of: id, call).last { $0[.rating]?.int != nil }
        }
        var note = old.map(LibraryEntry.Note.init) ?? LibraryEntry.Note()
        if !text.isEmpty { note.text = text }
        note.title = title ?? note.title
        note.rating = rating ?? note.rating
        if note.rating == 0 { note.rating = nil }
        if rating == 0, note.isEmpty {
            guard let old else { throw ClientError(.init(.notFound), "the item has no rating") }
            return try remove(old, of: id, call)
        }
        return try change(id, call) { writer in
            writer.object(.note) { writer in
                writer.member(.id, old?[.id]?.string)
                note.write(to: &writer)
            }
        }
    }

    /// Returns the note that “show” prints with this number, or the latest note.
    ///
    /// A note without text and title has no number.
    private static func named(_ number: Int?, of id: String, _ call: LibraryCall) throws(ClientError) -> JSONCursor {
        let notes = try notes(of: id, call).filter { !NoteText($0).lines.isEmpty }
        guard let note = notes.prefix(number ?? .max).last, number ?? 1 <= notes.count else {
            let hint = number.map { _ in "“searchctl show” lists its notes." }
            throw ClientError(.init(.notFound), "the item has no note" + (number.map { " \($0)" } ?? ""), hint: hint)
        }
        return note
    }

    private static func notes(of id: String, _ call: LibraryCall) throws(ClientError) -> [JSONCursor] {
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        return Array(item?[.notes]?.elements ?? [])
    }

    /// Prints the removed text, because the user can't restore it.
    private static func remove(_ note: JSONCursor, of id: String, _ call: LibraryCall) throws(ClientError) -> ExitStatus
    {
        let text = NoteText(note)
        let status = try change(id, call) { writer in
            guard text.rating != nil, !text.lines.isEmpty else { return writer.member(.remove, note[.id]?.string) }
            writer.object(.note) { writer in
                writer.member(.id, note[.id]?.string)
                writer.member(.rating, text.rating)
            }
        }
        if !text.lines.isEmpty { try call.tell("Removed: \(text.line)") }
        return status
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

extension CommandOption {
    static let rating = CommandOption(
        "rating",
        value: .number("N", in: 0...WireBounds.rating.upperBound),
        help: "rate the item with 1 to 5 stars; the latest rating counts, and 0 removes it"
    )
    static let noteTitle = CommandOption("title", value: .text("TEXT"), help: "set a title above the text")
    private static let noteNumber = Value.number("N", in: 1...Int.max)
    static let replacedNote = CommandOption(
        "replace",
        value: noteNumber,
        help: "change note N instead of adding a note",
        manual:
            "N is the number of the note, as “searchctl show” prints it. A text, title or rating that is not given "
            + "stays the same."
    )
    static let removedNote = CommandOption("remove", value: noteNumber, help: "remove note N, but keep the rating")
}
