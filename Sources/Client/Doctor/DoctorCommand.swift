import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The command `searchctl doctor`, which finds problems and prints what to do about them.
struct DoctorCommand {
    private let context: Context

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let facts = try DoctorCommand(context: context).facts()
        let report = DoctorReport(findings: DoctorChecks(facts: facts, clock: context.clock).findings)
        let lines = report.lines(context.style, columns: context.console.columns)
        try context.report(json: [report.json[...]], or: lines)
        return report.status
    }

    private func facts() throws(ClientError) -> DoctorFacts {
        var facts = DoctorFacts(
            userID: geteuid(),
            connection: .failure(ClientError(.noDaemon, "searchd was not asked"))
        )
        do throws(ClientError) {
            try ask(Connector(context, starting: .own), &facts)
        } catch {
            if [.usage, .interrupted, .outputClosed].contains(error.code) { throw error }
            facts.connection = .failure(error)
        }
        if case .success(let path) = facts.connection {
            facts.socket = PathFacts(of: path)
            facts.openDirectory = SocketTrust.openDirectory(to: path).flatMap(PathFacts.init)
        }
        let manager = ServiceManager(context)
        let isSystem =
            facts.snapshot == nil ? facts.userID == 0 && manager.hasService : facts.daemonUserID != facts.userID
        let mayCheck = !isSystem || facts.userID == 0
        let process = facts.snapshot?.hello?[.pid]?.int
        facts.configuration = mayCheck ? .run(ofSystem: isSystem, process: process, context) : .notOurs
        let option = DaemonConfigurationCheck.option(of: process) ?? []
        facts.checkCommand = (["searchd", "--check"] + option).map(ShellWord.quoted).joined(separator: " ")
        if isSystem { facts.checkCommand = DaemonConfigurationCheck.commandOfSystem }
        facts.directories = isSystem ? Self.systemDirectories : ownDirectories
        if let personal = facts.snapshot?.stats?[.personal], let file = personal[.file]?.string {
            facts.directories.removeAll { $0.purpose == "state" }
            let state = PathFacts.parent(of: file)
            facts.directories.append(DoctorFacts.Directory("state", state, freeBytes: personal[.free]?.int))
        }
        if !isSystem {
            facts.unusable = facts.directories.filter { !PathFacts.mayUse($0.path, $0.access) }.map(\.purpose)
        }
        facts.units = manager.isThere ? Self.units(manager) : []
        return facts
    }

    private func ask(_ connector: Connector, _ facts: inout DoctorFacts) throws(ClientError) {
        let progress = ProgressLine(console: context.console, isOn: context.console.errorsIsTerminal)
        defer { progress.clear() }
        var answer = facts
        try connector.withExchange { exchange throws(ClientError) in
            let snapshot = try DaemonSnapshot(of: &exchange, clock: context.clock)
            answer.savedCount = try exchange.savedCount()
            (answer.snapshot, answer.connection) = (snapshot, .success(exchange.path))
            guard !context.arguments.has(.noTry) else { return }
            let names = snapshot.triable
            if !names.isEmpty { progress.show("asking \(NumberText.count(names.count, "source"))…") }
            answer.troubles = try SourceProbe.troubles(with: names, over: &exchange)
        }
        facts = answer
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

extension CommandOption {
    static let ofDoctor = [noTry] + ofReport
}

/// What `doctor` knows about the machine and the daemon.
struct DoctorFacts {
    struct Directory: Equatable {
        let purpose: String
        let path: String
        var facts: PathFacts?
        var isSecret = false
        var freeBytes: Int?

        /// The access that the daemon needs.
        var access: Int32 { ["configuration", "keys"].contains(purpose) ? R_OK | X_OK : R_OK | W_OK | X_OK }
    }

    struct Unit: Equatable {
        let name: String
        let state: String
        let isUsers: Bool
    }

    var userID: UInt32
    var connection: Result<String, ClientError>
    var socket: PathFacts?
    var openDirectory: PathFacts?
    var snapshot: DaemonSnapshot?
    var savedCount: Int?
    var configuration = DaemonConfigurationCheck.noProgram
    var checkCommand = "searchd --check"
    var directories: [Directory] = []
    /// The purposes of the directories that this user can't use.
    var unusable: [String] = []
    /// The errors by the name of the source, or nil if no source was asked.
    var troubles: [String: ClientError]?
    var units: [Unit] = []

    var daemonUserID: UInt32? { snapshot?.userID }
}

extension DoctorFacts.Directory {
    init(_ purpose: String, _ path: String, isSecret: Bool = false, isWritten: Bool = false, freeBytes: Int? = nil) {
        self.init(
            purpose: purpose,
            path: VisibleText.visible(path),
            facts: PathFacts(of: path),
            isSecret: isSecret,
            freeBytes: freeBytes ?? (isWritten ? PathFacts.freeBytes(at: path) : nil)
        )
    }
}
