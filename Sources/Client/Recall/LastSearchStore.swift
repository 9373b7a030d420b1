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
