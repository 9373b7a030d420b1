import EventLoop
import Glibc
import JSON
import SearchModel

/// The last list of hits, for `open 3`, and the last search, for `again`.
struct LastSearch {
    static let hitsMax = 1000
    static let bytesMax = 8 << 20
    private static let version = 1
    static let missing = "nothing was searched here yet, or the search was removed from the history"

    let session: String
    let words: [String]
    let firstNumber: Int
    let hits: [JSONCursor]

    init(session: String = "", words: [String], firstNumber: Int, hits: [JSONCursor]) {
        self.session = session
        self.words = words
        self.firstNumber = firstNumber
        self.hits = Array(hits.prefix(Self.hitsMax))
    }

    init?(_ text: [UInt8]) {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        let documents = lines.compactMap { try? JSONDocument(Array($0), limits: .wire).root }
        guard documents.count == lines.count, let head = documents.first, head["version"]?.int == Self.version,
            let firstNumber = head["firstNumber"]?.int
        else { return nil }
        self.init(
            session: head["session"]?.string ?? "",
            words: (head["words"]?.elements ?? []).compactMap(\.string),
            firstNumber: firstNumber,
            hits: Array(documents.dropFirst())
        )
    }

    var text: [UInt8] {
        var text = JSONWriter.bytes { writer in
            writer.member("version", Self.version)
            writer.member("session", session)
            writer.member("firstNumber", firstNumber)
            writer.name("words")
            writer.array { writer in for word in words { writer.string(word) } }
        }
        for hit in hits where text.count + hit.text.count < Self.bytesMax { text += [UInt8(ascii: "\n")] + hit.text }
        return text
    }

    /// Stores a search and its hits.
    ///
    /// If `words` or `hits` is nil, keeps the stored value.
    static func keep(
        words: [String]?,
        from firstNumber: Int = 1,
        _ hits: [JSONCursor]?,
        _ context: Context
    ) {
        let last = words == nil || hits == nil ? LastSearchStore.last(context) : nil
        let search = LastSearch(
            session: context.console.session,
            words: words ?? last?.words ?? [],
            firstNumber: hits == nil ? last?.firstNumber ?? 1 : firstNumber,
            hits: hits ?? last?.hits ?? []
        )
        LastSearchStore(context)?.save(search)
    }

    func hit(number: Int) -> JSONCursor? {
        let index = number - firstNumber
        return hits.indices.contains(index) ? hits[index] : nil
    }

    func hits(idBeginning start: String) -> [JSONCursor] {
        let found = hits.filter { $0[.id]?.string?.utf8.starts(with: start.utf8) ?? false }
        return found.first { $0[.id]?.string?.utf8.count == start.utf8.count }.map { [$0] } ?? found
    }

    var range: String {
        switch hits.count {
        case 0: "is empty"
        case 1: "has only number \(firstNumber)"
        default: "has the numbers \(firstNumber) to \(firstNumber + hits.count - 1)"
        }
    }
}

/// The file of the last list.
///
/// Each terminal has its own file.
struct LastSearchStore {
    private let directory: String
    private let name: String

    init?(_ context: Context) {
        guard let directory = Self.directory(context.environment) else { return nil }
        self.directory = directory
        let name = context.console.terminalName ?? "last"
        self.name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
    }

    static func directory(_ environment: Environment) -> String? {
        (environment.directory("XDG_RUNTIME_DIR") ?? environment.stateHome).map { $0 + "/searchctl" }
    }

    private var path: String { "\(directory)/\(name)" }

    func save(_ search: LastSearch) { StateFile.replace(name, in: directory, with: search.text) }

    static func last(_ context: Context) -> LastSearch? {
        let search = LastSearchStore(context).flatMap { SystemCall.contents(of: $0.path) }.flatMap { LastSearch($0) }
        let isOfTerminal = context.console.terminalName != nil
        return isOfTerminal && search?.session != context.console.session ? nil : search
    }

    func remove() {
        // The path is valid during the call.
        _ = unsafe unlink(path)
    }
}

/// Identifies the session of a terminal by a process ID and a start time.
///
/// Names of terminals and process IDs are reused, so neither is enough.
enum TerminalSession {
    static func current() -> String {
        let leader = getsid(0)
        guard let status = SystemCall.contents(of: "/proc/\(leader)/stat"),
            let start = start(inStatus: String(decoding: status, as: UTF8.self))
        else { return String(leader) }
        return "\(leader)-\(start)"
    }

    /// Returns the start time, which is field 22 of `/proc/PID/stat`.
    ///
    /// Field 2 is in brackets and may contain blanks.
    static func start(inStatus status: String) -> UInt64? {
        guard let bracket = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: bracket)...].split(separator: " ")
        return fields.count >= 20 ? UInt64(fields[19]) : nil
    }
}

enum StateFile {
    /// Replaces the file atomically, and returns false after a failure.
    @discardableResult
    static func replace(_ name: String, in directory: String, with text: [UInt8], isDurable: Bool = false) -> Bool {
        createDirectory(directory)
        let draft = "\(directory)/.\(name).\(getpid())"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        // The paths are valid during the calls.
        let descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else { return false }
        let file = FileDescriptor(owning: descriptor)
        var rest = text[...]
        while !rest.isEmpty, let count = try? DescriptorIO.write(rest, to: file.raw), count > 0 {
            rest = rest.dropFirst(count)
        }
        let isWritten = rest.isEmpty && (!isDurable || fsync(file.raw) == 0)
        if isWritten, unsafe rename(draft, "\(directory)/\(name)") == 0 { return true }
        _ = unsafe unlink(draft)
        return false
    }

    /// Ignores errors, because the next use of the directory reports them.
    static func createDirectory(_ path: String) {
        let ends = path.indices.dropFirst().filter { path[$0] == "/" } + [path.endIndex]
        for end in ends {
            // The path is valid during the call.
            _ = unsafe mkdir(String(path[..<end]), 0o700)
        }
    }
}
