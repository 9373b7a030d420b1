import EventLoop
import Glibc
import SearchModel

/// The last searches that words on the command line may mean.
struct LastSearches {
    /// This terminal's, or the user's without a terminal; numbers mean its hits, since another screen shows others.
    var here: LastSearch?
    /// The user's, wherever it was: an id means the same hit everywhere.
    var elsewhere: LastSearch?

    var all: [LastSearch] { [here, elsewhere].compactMap(\.self) }
}

/// The files of the last searches: of each terminal, and of the user wherever it was; no other user can read them.
struct LastSearchStore {
    /// No terminal has such a name.
    private static let ofUser = "last"

    private let directory: String
    /// Nil without a terminal.
    private let terminal: String?

    /// Nil without a directory of the user's own for such a thing.
    init?(_ context: Context) {
        guard let directory = Self.directory(context.environment) else { return nil }
        self.directory = directory
        terminal = context.console.terminalName.map { name in
            String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
        }
    }

    /// Where searchctl keeps what it was told or shown last, until the session ends where that is known.
    static func directory(_ environment: Environment) -> String? {
        (environment.directory("XDG_RUNTIME_DIR") ?? environment.stateHome).map { $0 + "/searchctl" }
    }

    /// Keeps a search instead of the one before; one that can't be kept is not worth an error.
    func save(_ search: LastSearch) {
        let text = search.text
        for name in [terminal, Self.ofUser].compactMap(\.self) { write(text, as: name) }
    }

    /// The last search here; `notFound` when there was none.
    static func load(_ context: Context) throws(ClientError) -> LastSearch {
        guard let search = all(context).here else {
            let here = context.console.terminalName == nil ? "" : " in this terminal"
            throw ClientError(
                .init(.notFound),
                "nothing was searched\(here) yet",
                hint: "Run “searchctl search QUERY” first."
            )
        }
        return search
    }

    static func all(_ context: Context) -> LastSearches {
        guard let store = LastSearchStore(context) else { return LastSearches() }
        let last = store.read(ofUser)
        guard let terminal = store.terminal else { return LastSearches(here: last) }
        let own = store.read(terminal).flatMap { $0.session == context.console.session ? $0 : nil }
        return LastSearches(here: own, elsewhere: last)
    }

    private func read(_ name: String) -> LastSearch? {
        StateFile.contents(of: "\(directory)/\(name)", bytesMax: LastSearch.bytesMax).flatMap { LastSearch($0) }
    }

    private func write(_ text: [UInt8], as name: String) { StateFile.replace(name, in: directory, with: text) }

    /// Removes searches, of this terminal and of the user.
    func remove(where isRemoved: (LastSearch) -> Bool) {
        for name in [terminal, Self.ofUser].compactMap(\.self) {
            guard let search = read(name), isRemoved(search) else { continue }
            // The path lives through the call.
            _ = unsafe unlink("\(directory)/\(name)")
        }
    }
}

/// What tells the session of a terminal from every other one, since names of terminals and numbers of processes come
/// again.
enum TerminalSession {
    /// The number of the session's leader and when that began; the number alone where the leader can't be looked at.
    static func current() -> String {
        let leader = getsid(0)
        guard let status = SystemCall.contents(of: "/proc/\(leader)/stat"),
            let start = start(inStatus: String(decoding: status, as: UTF8.self))
        else { return String(leader) }
        return "\(leader)-\(start)"
    }

    /// When a process began, in ticks since the machine did: the 22nd field of `/proc/PID/stat`; pure.
    ///
    /// The second one is the program's name in brackets, in which anything may stand.
    static func start(inStatus status: String) -> UInt64? {
        guard let bracket = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: bracket)...].split(separator: " ")
        return fields.count >= 20 ? UInt64(fields[19]) : nil
    }
}

/// A small file that only its user can read, and that is there in whole or as it was before.
enum StateFile {
    /// Puts other contents in its place; false when they can't be written.
    @discardableResult
    static func replace(_ name: String, in directory: String, with text: [UInt8]) -> Bool {
        Transfers.makeDirectories(directory)
        let draft = "\(directory)/.\(name).\(getpid())"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW
        // The paths live through the calls.
        let descriptor = unsafe open(draft, flags, 0o600)
        guard descriptor >= 0 else { return false }
        let file = FileDescriptor(owning: descriptor)
        var rest = text[...]
        while !rest.isEmpty, let count = try? Transfers.write(rest, to: file.raw), count > 0 {
            rest = rest.dropFirst(count)
        }
        if rest.isEmpty, unsafe rename(draft, "\(directory)/\(name)") == 0 { return true }
        _ = unsafe unlink(draft)
        return false
    }

    /// Nil for a file that can't be read, or has more bytes than that.
    static func contents(of path: String, bytesMax: Int) -> [UInt8]? {
        // The path lives through the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        let file = FileDescriptor(owning: descriptor)
        var bytes: [UInt8] = []
        while let more = try? Transfers.read(file.raw, bytesMax: 1 << 16), !more.isEmpty {
            bytes += more
            guard bytes.count <= bytesMax else { return nil }
        }
        return bytes
    }
}
