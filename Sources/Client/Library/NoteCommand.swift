import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl note ID TEXT`: writes a note on a saved item, in the editor when no text is given.
enum NoteCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let call = try LibraryCall(arguments, context)
        guard let id = try call.ids([arguments.words[0]]).first else { return .nothingFound }
        let params: [UInt8]
        if let note = arguments.text(.removedNote) {
            params = JSONWriter.bytes { writer in
                writer.member(.id, id)
                writer.member(.remove, note)
            }
        } else {
            guard let text = try text(of: id, arguments, call, context) else {
                context.console.report("Nothing was written, so there is no note.")
                return .nothingFound
            }
            params = JSONWriter.bytes { writer in
                writer.member(.id, id)
                writer.object(.note) { writer in
                    writer.member(.id, arguments.text(.replacedNote))
                    writer.member(.title, arguments.text(.noteTitle))
                    if !text.isEmpty { writer.member(.text, text) }
                    writer.member(.rating, arguments.number(.rating))
                }
            }
        }
        let result = try call.ask(.libraryNote, params)
        try call.print(Array(result[.items]?.elements ?? [])) { text in
            "\(text.name): \(text.additions.isEmpty ? "no notes" : text.additions)"
        }
        return .found
    }

    /// The text as it is given or written; empty when title or rating are enough, nil when nothing was written.
    private static func text(
        of id: String,
        _ arguments: Arguments,
        _ call: LibraryCall,
        _ context: Context
    ) throws(ClientError) -> String? {
        let words = arguments.words.dropFirst().joined(separator: " ")
        if !words.isEmpty { return words }
        let hasOthers = arguments.has(.rating) || arguments.has(.noteTitle)
        if hasOthers, arguments.text(.replacedNote) == nil { return "" }
        // Of an item that is not saved, a long text would be lost.
        let item = try call.ask(.libraryGet, JSONWriter.bytes { $0.member(.id, id) })[.item]
        let notes = item?[.notes]?.elements.filter { $0[.id]?.string == arguments.text(.replacedNote) } ?? []
        return try Editor(context.environment).edit(notes.first?[.text]?.string ?? "")
    }
}

/// The user's editor.
struct Editor {
    private let command: [String]
    private let directory: String

    init(_ environment: Environment) {
        let named = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
        command = named.split(separator: " ").map(String.init)
        directory = environment.directory("XDG_RUNTIME_DIR") ?? environment.directory("TMPDIR") ?? "/tmp"
    }

    /// What the user makes of a text; nil when nothing is left of it.
    ///
    /// - Throws: When there is no editor, or it fails.
    func edit(_ text: String) throws(ClientError) -> String? {
        var path = Array("\(directory)/searchctl-note.XXXXXX".utf8CString)
        // The array ends with NUL and lives through the call, which replaces the six letters.
        let raw = unsafe mkstemp(&path)
        guard raw >= 0 else { throw ClientError(.init(.unavailable), "no file can be made in \(directory)") }
        let file = FileDescriptor(owning: raw)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = unsafe unlink(name) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty { rest = rest.dropFirst(try Transfers.write(rest, to: file.raw)) }
        guard var program = AttachedProgram.start(command + [name]) else {
            throw ClientError(
                .init(.notFound),
                "there is no editor \(command.first ?? "")",
                hint: "Set EDITOR to one, or give the text behind the id."
            )
        }
        guard program.finish() == 0 else {
            throw ClientError(.init(.unavailable), "the editor failed", hint: "Nothing has been changed.")
        }
        return try read(name)
    }

    /// An editor may have put another file in its place.
    private func read(_ name: String) throws(ClientError) -> String? {
        let raw = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let file = FileDescriptor(owning: raw)
        var bytes: [UInt8] = []
        // Longer notes are refused by the daemon.
        while bytes.count < 1 << 20, let more = try Transfers.read(file.raw, bytesMax: 1 << 16), !more.isEmpty {
            bytes += more
        }
        let blank: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let text = String(decoding: bytes.drop(while: blank).reversed().drop(while: blank).reversed(), as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

/// The options of `note`.
extension CommandOption {
    static let rating = CommandOption("rating", value: .number("N", in: WireBounds.rating), help: "1 to 5 stars")
    static let noteTitle = CommandOption("title", value: .text("TEXT"), help: "a title above the text")
    static let replacedNote = CommandOption("replace", value: .text("NOTE"), help: "instead of the note of this id")
    static let removedNote = CommandOption("remove", value: .text("NOTE"), help: "take the note of this id away")
}
