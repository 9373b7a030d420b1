import JSON
import RPC
import SearchModel

/// `searchctl note ID TEXT`: writes a note on a saved item; without a text, the latest is opened in the editor.
enum NoteCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(arguments, context)
        let ids = try call.ids([arguments.words[0]])
        guard let id = ids.first, ids.count == 1 else {
            throw ClientError(.usage, "a note is written on one item, not on \(FigureText.grouped(ids.count))")
        }
        if let note = arguments.text(.removedNote) {
            guard arguments.words.count == 1 else { throw ClientError(.usage, "--remove takes no text") }
            let old = try Self.note(note, of: id, call)
            let status = try finish(remove(note, of: id, call), call)
            try call.tell("To undo it: \(undo(old, of: id))")
            return status
        }
        var note = LibraryEntry.Note(title: arguments.text(.noteTitle), rating: arguments.number(.rating))
        let words = arguments.words.dropFirst().joined(separator: " ")
        if !words.isEmpty { note.text = words }
        let isGiven = !note.isEmpty
        var replaced = arguments.text(.replacedNote)
        // A rating alone replaces the one that is there.
        if replaced == nil, note.text == nil, note.title == nil {
            replaced = isGiven ? try number(of: id, call) { $0[.rating]?.int != nil } : try number(of: id, call)
        }
        if let replaced {
            let old = try Self.note(replaced, of: id, call)
            note.title = note.title ?? old.title
            note.text = note.text ?? old.text
            note.rating = note.rating ?? old.rating
        }
        if note.rating == 0 {
            note.rating = nil
            if note.isEmpty {
                guard let replaced else { throw ClientError(.init(.notFound), "the item has no stars") }
                return try finish(remove(replaced, of: id, call), call)
            }
        }
        guard !isGiven else { return try finish(ask(note, on: id, replacing: replaced, call), call) }
        return try edit(note, of: id, replacing: replaced, call, context)
    }

    /// The command that writes a note again.
    private static func undo(_ note: LibraryEntry.Note, of id: String) -> String {
        let title = note.title.map { ["--title", $0] } ?? []
        let rating = note.rating.map { ["--rating", "\($0)"] } ?? []
        let words = ["searchctl", "note", id] + [note.text].compactMap(\.self) + title + rating
        return words.map(ShellWord.quoted).joined(separator: " ")
    }

    private static func edit(
        _ note: LibraryEntry.Note,
        of id: String,
        replacing replaced: String?,
        _ call: LibraryCall,
        _ context: Context
    ) throws(ClientError) -> ExitStatus {
        let draft = try Editor(context.environment).edit(note.text ?? "")
        var note = note
        note.text = draft.text
        guard note.text != nil else {
            draft.remove()
            let outcome = replaced.map { "the note stays; “--remove \(ShellWord.quoted($0))” removes it" }
            context.console.report("Nothing was written, so \(outcome ?? "there is no note").")
            return .nothingFound
        }
        let result: JSONCursor
        do throws(ClientError) {
            result = try ask(note, on: id, replacing: replaced, call)
        } catch {
            context.console.report("What you wrote is in \(draft.path)")
            throw error
        }
        draft.remove()
        return try finish(result, call)
    }

    private static func ask(
        _ note: LibraryEntry.Note,
        on id: String,
        replacing replaced: String?,
        _ call: LibraryCall
    ) throws(ClientError) -> JSONCursor {
        let params = JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.object(.note) { writer in
                writer.member(.id, replaced)
                writer.member(.title, note.title)
                writer.member(.text, note.text)
                writer.member(.rating, note.rating)
            }
        }
        return try call.ask(.libraryNote, params)
    }

    private static func remove(_ note: String, of id: String, _ call: LibraryCall) throws(ClientError) -> JSONCursor {
        let params = JSONWriter.bytes { writer in
            writer.member(.id, id)
            writer.member(.remove, note)
        }
        return try call.ask(.libraryNote, params)
    }

    /// The number of the item's latest note, or of the latest that is such; nil when there is none.
    ///
    /// - Throws: `notFound` when the item is not saved: what is written in the editor would be lost.
    private static func number(
        of id: String,
        _ call: LibraryCall,
        where isSuch: (JSONCursor) -> Bool = { _ in true }
    ) throws(ClientError) -> String? {
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        return item?[.notes]?.elements.last(where: isSuch)?[.id]?.string
    }

    /// A note as it is.
    private static func note(
        _ note: String,
        of id: String,
        _ call: LibraryCall
    ) throws(ClientError) -> LibraryEntry.Note {
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        guard let found = item?[.notes]?.elements.first(where: { $0[.id]?.string?.hasSameBytes(as: note) ?? false })
        else {
            throw ClientError(
                .init(.notFound),
                "the item has no note \(note)",
                hint: "“searchctl show” lists its notes."
            )
        }
        return LibraryEntry.Note(
            title: found[.title]?.string,
            text: found[.text]?.string,
            rating: found[.rating]?.int
        )
    }

    private static func finish(_ result: JSONCursor, _ call: LibraryCall) throws(ClientError) -> ExitStatus {
        try call.print(result[.items]?.elements ?? []) { text in
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
        help: "1 to 5 stars; 0 takes them away"
    )
    static let noteTitle = CommandOption("title", value: .text("TEXT"), help: "a title above the text")
    static let replacedNote = CommandOption(
        "replace",
        value: .text("NOTE"),
        help: "change this note instead",
        manual: "“searchctl show” lists the notes of an item with their numbers. What is not given of text, title and "
            + "rating stays; without any of them the editor is opened with the text."
    )
    static let removedNote = CommandOption("remove", value: .text("NOTE"), help: "remove this note")
}
