import EventLoop
import Glibc
import SearchModel

/// The user's editor.
struct Editor {
    /// Longer notes are refused by the daemon.
    private static let textBytesMax = 1 << 20
    /// How a shell ends that finds no such program.
    private static let notFoundStatus: Int32 = 127

    /// As a shell reads it.
    private let command: String
    private let directory: String

    /// What the user has written, in a file that stays until it is kept somewhere else.
    struct Draft {
        /// Nil when nothing is left of it.
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

    /// What the user makes of a text.
    ///
    /// - Throws: When there is no editor, or it fails.
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
            return Draft(text: try read(name), path: name)
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

    /// Opens the file anew: an editor may have replaced it.
    private func read(_ name: String) throws(ClientError) -> String? {
        let raw = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard raw >= 0 else { return nil }
        let file = FileDescriptor(owning: raw)
        var bytes: [UInt8] = []
        while bytes.count < Self.textBytesMax,
            let more = try Transfers.read(file.raw, bytesMax: 1 << 16), !more.isEmpty
        {
            bytes += more
        }
        return LibraryEntry.lines(String(decoding: bytes, as: UTF8.self))
    }
}
