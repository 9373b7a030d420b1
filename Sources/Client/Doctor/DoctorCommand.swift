import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl doctor`: looks at everything, and says what is wrong and what to do.
struct DoctorCommand {
    private let arguments: Arguments
    private let context: Context

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let format = try OutputFormat.chosen(arguments)
        let isTerminal = context.console.outputIsTerminal
        let style = Style(arguments, environment: context.environment, isTerminal: isTerminal)
        let facts = try DoctorCommand(arguments: arguments, context: context).facts()
        let report = DoctorReport(findings: DoctorChecks(facts: facts, clock: context.clock).findings)
        let printer = Printer(context.console)
        switch format {
        case .json: try printer.print(json: report.json[...])
        case .text:
            let lines = report.lines(style, columns: context.console.columns)
            try printer.print(lines.map { $0 + "\n" }.joined())
        }
        return report.status
    }

    /// Looks at everything; what can't be found out is absent.
    ///
    /// - Throws: Only what ends the program: wrong usage, Ctrl-C, an output without a reader.
    private func facts() throws(ClientError) -> DoctorFacts {
        var facts = DoctorFacts(
            userID: geteuid(),
            now: context.now(),
            connection: .failure(ClientError(.noDaemon, "searchd was not asked"))
        )
        do throws(ClientError) {
            try ask(Connector(arguments, context, starting: .own), &facts)
        } catch {
            if [.usage, .interrupted, .outputClosed].contains(error.code) { throw error }
            facts.connection = .failure(error)
        }
        if case .success(let path) = facts.connection {
            facts.socket = PathFacts(of: path)
            facts.openDirectory = SocketWay.openDirectory(to: path).flatMap(PathFacts.init)
        }
        let manager = ServiceManager(context)
        // Where none answers, root means the service.
        let isSystem =
            facts.snapshot == nil ? facts.userID == 0 && manager.hasService : facts.daemonUserID != facts.userID
        let mayCheck = !isSystem || facts.userID == 0
        facts.configuration = mayCheck ? .run(ofSystem: isSystem, context) : .notOurs
        if isSystem { facts.checkCommand = ConfigurationCheck.commandOfSystem }
        facts.directories = isSystem ? Self.systemDirectories : ownDirectories
        if let personal = facts.snapshot?.stats?[.personal], let file = personal[.file]?.string {
            // The daemon's state may be anywhere.
            let state = DoctorFacts.Directory("state", PathFacts.parent(of: file), freeBytes: personal[.free]?.int)
            facts.directories = facts.directories.filter { $0.purpose != "state" } + [state]
        }
        facts.units = manager.isThere ? Self.units(manager) : []
        return facts
    }

    /// What the daemon says of itself and of its sources.
    private func ask(_ connector: Connector, _ facts: inout DoctorFacts) throws(ClientError) {
        let progress = ProgressLine(console: context.console, isOn: context.console.errorsIsTerminal)
        defer { progress.clear() }
        let (path, snapshot, savedCount, troubles) = try connector.withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, clock: context.clock)
            let listID = DaemonSnapshot.methods.count + 1
            let savedCount = try exchange.savedCount(id: listID)
            guard !arguments.has(.noTry) else {
                return (exchange.path, snapshot, savedCount, [String: ClientError]?.none)
            }
            let names = snapshot.enabled.map(\.name)
            if !names.isEmpty { progress.show("asking \(FigureText.count(names.count, "source"))…") }
            let troubles = try SourceProbe.troubles(with: names, firstID: listID + 1, over: &exchange)
            return (exchange.path, snapshot, savedCount, troubles)
        }
        facts.connection = .success(path)
        (facts.snapshot, facts.savedCount, facts.troubles) = (snapshot, savedCount, troubles)
    }

    private static let systemDirectories = [
        DoctorFacts.Directory("configuration", "/etc/searchd"),
        DoctorFacts.Directory("keys", KeyStore.systemDirectory, isSecret: true),
        DoctorFacts.Directory("runtime", "/run/searchd"),
        DoctorFacts.Directory("state", "/var/lib/searchd", isWritten: true),
        DoctorFacts.Directory("cache", "/var/cache/searchd", isWritten: true),
    ]

    private var ownDirectories: [DoctorFacts.Directory] {
        func own(_ variable: String, _ fallback: String, _ rest: String) -> String? {
            let home = context.environment.directory("HOME").map { "\($0)/\(fallback)" }
            return (context.environment.directory(variable) ?? home).map { $0 + rest }
        }
        let directories = [
            own("XDG_CONFIG_HOME", ".config", "/searchd").map { DoctorFacts.Directory("configuration", $0) },
            own("XDG_CONFIG_HOME", ".config", "/searchd/keys").map { .init("keys", $0, isSecret: true) },
            context.environment.directory("XDG_RUNTIME_DIR").map { .init("runtime", $0) },
            own("XDG_STATE_HOME", ".local/state", "/searchd").map { .init("state", $0, isWritten: true) },
            own("XDG_CACHE_HOME", ".cache", "/searchd").map { .init("cache", $0, isWritten: true) },
        ]
        return directories.compactMap(\.self)
    }

    private static func units(_ manager: ServiceManager) -> [DoctorFacts.Unit] {
        [false, true].flatMap { isUsers in
            [ServiceManager.socketUnit, ServiceManager.unit].compactMap { name in
                manager.state(of: name, isUsers: isUsers).map {
                    DoctorFacts.Unit(name: name, state: $0, isUsers: isUsers)
                }
            }
        }
    }
}

/// The options of `doctor`.
extension CommandOption {
    static let ofDoctor = [noTry] + ofReport
}

/// Everything that `doctor` has looked at, before anything is concluded from it.
struct DoctorFacts {
    /// One directory, and what it is for.
    struct Directory: Equatable {
        let purpose: String
        let path: String
        /// Nil when it is not there.
        var facts: PathFacts?
        /// Whether no other user may even look into it.
        var isSecret = false
        /// The files in it that others may read or change although it is secret.
        var openFiles: [PathFacts] = []
        /// The bytes that are left for this user; nil where little is written, or that is not known.
        var freeBytes: Int?
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
    var snapshot: DaemonSnapshot?
    /// Nil when it is not known.
    var savedCount: Int?
    var configuration = ConfigurationCheck.noProgram
    /// Shows everything that is wrong with it.
    var checkCommand = "searchd --check"
    var directories: [Directory] = []
    /// The failures of enabled sources that were asked, by name; nil when none was asked.
    var troubles: [String: ClientError]?
    /// Those that are installed.
    var units: [Unit] = []

    /// Whose daemon it is; nil when none answers.
    var daemonUserID: UInt32? { snapshot?.userID }
}

extension DoctorFacts.Directory {
    /// Looks at a directory.
    init(_ purpose: String, _ path: String, isSecret: Bool = false, isWritten: Bool = false, freeBytes: Int? = nil) {
        self.init(
            purpose: purpose,
            path: VisibleText.visible(path),
            facts: PathFacts(of: path),
            isSecret: isSecret,
            openFiles: isSecret ? PathFacts.openFiles(in: path) : [],
            freeBytes: freeBytes ?? (isWritten ? PathFacts.freeBytes(at: path) : nil)
        )
    }
}
