import EventLoop
import Glibc
import SearchModel

/// The user's editor.
struct Editor {
    /// The status of a shell that does not find the program.
    private static let notFoundStatus: Int32 = 127

    /// As a shell reads it.
    private let command: String
    private let directory: String

    /// The user's text, and its file.
    struct Draft {
        let text: String?
        let path: String

        func remove() {
            // The path lives through the call.
            _ = unsafe unlink(path)
        }
    }

    init(_ environment: Environment) {
        // Debian's way to the editor that the machine has.
        let usual = ["editor", "vi"].first { ProgramSearch.path(of: $0, environment) != nil }
        command = environment["VISUAL"] ?? environment["EDITOR"] ?? usual ?? "vi"
        directory = environment.directory("XDG_RUNTIME_DIR") ?? environment.directory("TMPDIR") ?? "/tmp"
    }

    /// Lets the user change a text.
    func edit(_ text: String) throws(ClientError) -> Draft {
        var path = Array("\(directory)/searchctl-note.XXXXXX".utf8CString)
        // The array ends with NUL and lives through the call, which replaces the six letters.
        let raw = unsafe mkstemp(&path)
        guard raw >= 0 else { throw ClientError(.init(.unavailable), "no file can be made in \(directory)") }
        let file = FileDescriptor(owning: raw)
        let name = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(ClientError) {
            var rest = Array((text.isEmpty ? "" : text + "\n").utf8)[...]
            while !rest.isEmpty { rest = rest.dropFirst(try Transfers.write(rest, to: file.raw)) }
            try run(on: name)
            return Draft(text: read(name), path: name)
        } catch {
            _ = unsafe unlink(name)
            throw error
        }
    }

    private func run(on name: String) throws(ClientError) {
        var status: Int32?
        if var program = AttachedProgram.start(["/bin/sh", "-c", "\(command) \"$1\"", "sh", name]) {
            status = program.finish()
        }
        switch status {
        case 0: return
        case Self.notFoundStatus:
            throw ClientError(
                .init(.unavailable),
                "there is no editor “\(command)”",
                hint: "Set EDITOR to one, or give the text behind the id."
            )
        default: throw ClientError(.init(.unavailable), "the editor failed", hint: "Nothing has been changed.")
        }
    }

    /// Opens the file again: an editor may have replaced it.
    private func read(_ name: String) -> String? {
        SystemCall.contents(of: name).flatMap { LibraryEntry.lines(String(decoding: $0, as: UTF8.self)) }
    }
}
