import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Everything that `doctor` has looked at, before anything is concluded from it.
struct DoctorFacts {
    /// One directory, and what it is for.
    struct Directory: Equatable {
        let purpose: String
        let path: String
        /// Nil when it is not there.
        let facts: PathFacts?
        /// Whether no other user may even look into it.
        var isSecret = false
        /// The files in it that others may read or change although it is secret.
        var openFiles: [PathFacts] = []
        /// Whether much is written into it.
        var isWritten = false
        /// What is left for this user.
        var freeBytes: Int?
    }

    /// Takes the daemon's word for what is left where it keeps its state, which may be anywhere.
    mutating func measureState(at path: String, freeBytes: Int?) {
        guard let freeBytes, let index = directories.firstIndex(where: { $0.purpose == "state" }) else { return }
        directories[index] = Directory(
            purpose: directories[index].purpose,
            path: VisibleText.visible(path),
            facts: PathFacts(of: path),
            isWritten: true,
            freeBytes: freeBytes
        )
    }

    struct Unit: Equatable {
        let name: String
        /// In systemd's word.
        let state: String
        let isUsers: Bool
    }

    var userID: UInt32
    /// Seconds since 1970.
    var now: Int64
    /// Where the daemon answers, or why none does.
    var connection: Result<String, ClientError>
    var socket: PathFacts?
    /// Where others could have put it, or a link that leads to it; nil when nowhere.
    var openDirectory: PathFacts?
    /// The system's, when the user's own daemon answers instead; nil when there is none.
    var systemSocket: PathFacts?
    var snapshot: DaemonSnapshot?
    /// How many items the user has saved; nil when it is not known.
    var savedCount: Int?
    var configuration = ConfigurationCheck.noProgram
    /// What shows all that is wrong with it.
    var checkCommand = "searchd --check"
    var directories: [Directory] = []
    /// The sources that were asked, and what went wrong with which.
    var asked: [String] = []
    var troubles: [String: ClientError] = [:]
    /// Whether the program that draws pictures is installed.
    var hasPictureProgram = true
    /// Those that are installed.
    var units: [Unit] = []

    /// Whose daemon it is; nil when none answers.
    var daemonUserID: UInt32? { snapshot?.userID }
}

/// What the file system says of a path.
struct PathFacts: Equatable, Sendable {
    let path: String
    let userID: UInt32
    /// The permission bits.
    let mode: UInt32
    let isDirectory: Bool

    init(path: String, userID: UInt32, mode: UInt32, isDirectory: Bool = false) {
        self.path = path
        self.userID = userID
        self.mode = mode
        self.isDirectory = isDirectory
    }

    /// Nil when there is nothing, or nothing that may be looked at.
    init?(of path: String) {
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(
            path: path,
            userID: status.st_uid,
            mode: status.st_mode & 0o7777,
            isDirectory: status.st_mode & S_IFMT == S_IFDIR
        )
    }

    /// Whether others could put something into the directory.
    var othersMayAdd: Bool { mode & 0o022 != 0 }
    /// Whether others could replace what is in the directory.
    var othersMayReplace: Bool { othersMayAdd && mode & 0o1000 == 0 }

    /// `0700`.
    var modeText: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The files in a directory that others than their owner may read or change; none where it can't be looked into.
    static func openFiles(in directory: String) -> [PathFacts] {
        (SystemCall.names(in: directory) ?? []).sorted()
            .compactMap { PathFacts(of: "\(directory)/\($0)") }
            .filter { !$0.isDirectory && $0.mode & 0o077 != 0 }
    }

    /// The directory above.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The bytes that this user can still write where a path is or would be; nil when that can't be told.
    static func freeBytes(at path: String) -> Int? {
        var existing = path
        var found = statvfs()
        // The kernel fills the local, which outlives the call.
        while unsafe statvfs(existing, &found) != 0 {
            // A directory above one that may not be looked at can be on another file system.
            guard platform_errno() == ENOENT, existing != "/", existing != "." else { return nil }
            existing = parent(of: existing)
        }
        let (bytes, isTooMany) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }
}

/// The system's service manager, where there is one; without it nothing here fails but `perform`.
struct ServiceManager {
    static let unit = "searchd.service"
    static let socketUnit = "searchd.socket"

    /// Nil where systemd does not run the machine, or can't be talked to.
    private let program: String?

    init(_ context: Context) {
        program =
            PathFacts(of: context.systemdDirectory) == nil
            ? nil : ProgramSearch.path(of: "systemctl", context.environment)
    }

    /// Whether systemd runs this machine and can be talked to.
    var isThere: Bool { program != nil }

    /// Restarts the service so that it gets its credentials anew; false when there is no such service running.
    func restart() -> Bool {
        guard let program else { return false }
        guard ProgramRun.run([program, "--quiet", "is-active", Self.unit])?.status == 0 else { return false }
        forgetStarts(isUsers: false)
        return ProgramRun.run([program, "restart", Self.unit])?.status == 0
    }

    /// Makes systemd forget how often the service was started lately: its limit is for a service that fails by itself.
    private func forgetStarts(isUsers: Bool) {
        guard let program else { return }
        let scope = isUsers ? ["--user"] : []
        // It fails when a unit is not loaded, which then has no starts.
        _ = ProgramRun.run([program] + scope + ["reset-failed", Self.socketUnit, Self.unit])
    }

    /// Has systemd do what a command line of `systemctl` says.
    ///
    /// - Throws: `noDaemon`, with what systemctl says, when that fails.
    func perform(_ words: [String], isUsers: Bool) throws(ClientError) {
        forgetStarts(isUsers: isUsers)
        let run = program.flatMap { ProgramRun.run([$0] + words.dropFirst()) }
        guard run?.status == 0 else {
            let reason = run?.output.split(whereSeparator: \.isNewline).first.map { ": \($0)" } ?? ""
            throw ClientError(
                .noDaemon,
                "“\(words.joined(separator: " "))” failed\(reason)",
                hint: "“systemctl\(isUsers ? " --user" : "") status \(Self.unit)” shows why."
            )
        }
    }

    /// Whether the system's socket is installed, running or not; told by files, for users without a way to talk to
    /// systemd.
    var hasService: Bool {
        guard let program else { return false }
        let run = ProgramRun.run([program, "--root=/", "--no-legend", "list-unit-files", Self.socketUnit])
        return run.map { $0.status == 0 && $0.output.hasPrefix(Self.socketUnit) } ?? false
    }

    /// What `systemctl` says of a unit, as `active` or `inactive`; nil without it, or when the unit is not installed.
    func state(of unit: String, isUsers: Bool) -> String? {
        guard let program else { return nil }
        let words = [program] + (isUsers ? ["--user"] : []) + ["show", "--property=LoadState,ActiveState", unit]
        guard let run = ProgramRun.run(words), run.status == 0 else { return nil }
        var values: [Substring: Substring] = [:]
        for line in run.output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        guard values["LoadState"] == "loaded" else { return nil }
        return values["ActiveState"].map(String.init)
    }
}

/// A program run to its end, with all that it said.
struct ProgramRun: Equatable, Sendable {
    /// Longer than any that we ask takes.
    static let secondsMax = 10
    /// What a program says beyond this is left out.
    static let bytesMax = 256 << 10

    /// Nil when a signal ended it.
    let status: Int32?
    let output: String

    /// Nil when it can't be started, or takes too long and so was ended.
    static func run(_ words: [String]) -> ProgramRun? {
        var output: Int32 = -1
        // The call reads the list and fills the local before it returns.
        let process = unsafe withCStrings(words) { unsafe platform_spawn_heard($0, &output) }
        guard process > 0 else { return nil }
        let text = read(FileDescriptor(owning: output))
        if text == nil { kill(process, SIGKILL) }
        var status: Int32 = 0
        // The call fills the local, which outlives it; the process is ours and ends, since it has closed its output.
        while unsafe waitpid(process, &status, 0) < 0, platform_errno() == EINTR {}
        guard let text else { return nil }
        return ProgramRun(status: status & 0x7F == 0 ? (status >> 8) & 0xFF : nil, output: text)
    }

    /// All there is until the end; nil when that does not come in time.
    private static func read(_ descriptor: consuming FileDescriptor) -> String? {
        let deadline = Instant.now.advanced(by: .seconds(secondsMax))
        var bytes: [UInt8] = []
        while true {
            guard (try? Transfers.wait(for: descriptor.raw, until: deadline)) == [true],
                let more = try? Transfers.read(descriptor.raw, bytesMax: 64 << 10)
            else { return nil }
            if more.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += more.prefix(bytesMax - bytes.count)
        }
    }
}

/// The Unix sockets that something listens on, by the kernel's table; pure.
///
/// Unlike connecting, looking there starts no service; unlike a file, a socket in it has a daemon or a service manager.
struct ListeningSockets {
    /// How the table marks them.
    private static let listening = "00010000"
    private static let flagsColumn = 3
    private static let pathColumn = 7

    private let paths: Set<String>

    /// Those of this machine; none where the table can't be read.
    static var all: ListeningSockets {
        let table = SystemCall.contents(of: "/proc/net/unix") ?? []
        return ListeningSockets(table: String(decoding: table, as: UTF8.self))
    }

    init(table: String) {
        let rows = table.split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: Self.pathColumn, omittingEmptySubsequences: true)
        }
        let bound = rows.filter { $0.count > Self.pathColumn && $0[Self.flagsColumn] == Self.listening }
        paths = Set(bound.map { String($0[Self.pathColumn]) })
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }
}
