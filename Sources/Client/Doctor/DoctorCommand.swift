import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// `searchctl doctor`: looks at everything, concludes, and says what to do.
struct DoctorCommand {
    static let timeoutSeconds = 5

    private let arguments: Arguments
    private let context: Context

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let console = context.console
        let format = try OutputFormat.chosen(arguments)
        let style = Style(arguments, environment: context.environment, isTerminal: console.outputIsTerminal)
        let facts = try DoctorCommand(arguments: arguments, context: context).facts()
        let report = DoctorReport(
            findings: DoctorChecks(facts: facts, clock: LocalClock(now: facts.now, zone: context.zone)).findings
        )
        let printer = Printer(console)
        switch format {
        case .json: try printer.print(json: report.json[...])
        case .text: try printer.print(report.lines(style, columns: console.columns).map { $0 + "\n" }.joined())
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
        let connector = try Connector(arguments, context, starting: .own)
        do throws(ClientError) {
            try examine(connector, &facts)
        } catch {
            if [.usage, .interrupted, .outputClosed].contains(error.code) { throw error }
            facts.connection = .failure(error)
        }
        if case .success(let path) = facts.connection {
            facts.socket = PathFacts(of: path)
            facts.openDirectory = SocketWay.openDirectory(to: path).flatMap(PathFacts.init)
            facts.systemSocket = try systemSocket(beside: path)
        }
        let daemonUser = facts.daemonUserID ?? facts.userID
        // Where none answers, root means the service.
        let isSystem =
            facts.snapshot == nil ? facts.userID == 0 && ServiceManager(context).hasService : daemonUser != facts.userID
        facts.configuration = configuration(ofSystem: isSystem, facts.userID)
        if isSystem { facts.checkCommand = ConfigurationCheck.commandOfSystem }
        facts.directories = directories(daemonUser == facts.userID)
        if let personal = facts.snapshot?.stats[.personal], let file = personal[.file]?.string {
            facts.measureState(at: PathFacts.parent(of: file), freeBytes: personal[.free]?.int)
        }
        facts.hasPictureProgram = PictureTerminal.canDraw(context.environment)
        facts.units = units()
        return facts
    }

    /// What the daemon says of itself and of its sources.
    private func examine(_ connector: Connector, _ facts: inout DoctorFacts) throws(ClientError) {
        let isTrying = !arguments.has(.noTry)
        let progress = ProgressLine(console: context.console, isOn: context.console.errorsIsTerminal)
        defer { progress.clear() }
        let (path, snapshot, savedCount, asked, troubles) = try connector.withExchange { exchange throws(ClientError) in
            let deadline = Instant.now.advanced(by: .seconds(Self.timeoutSeconds))
            let snapshot = try DaemonSnapshot(of: &exchange, until: deadline)
            let listID = DaemonSnapshot.idCount + 1
            let savedCount = try exchange.savedCount(id: listID, within: Self.timeoutSeconds)
            let entries = isTrying ? snapshot.sources.filter { $0[.enabled]?.bool == true } : []
            let names = entries.compactMap { $0[.source]?.string }
            if !names.isEmpty { progress.show("asking \(FigureText.count(names.count, "source"))…") }
            let troubles = try SourceProbe.troubles(with: names, firstID: listID + 1, over: &exchange)
            return (exchange.path, snapshot, savedCount, names, troubles)
        }
        facts.connection = .success(path)
        facts.snapshot = snapshot
        facts.savedCount = savedCount
        facts.asked = asked
        facts.troubles = troubles
    }

    /// The system's socket, where it would be used if the daemon that answers were not.
    private func systemSocket(beside path: String) throws(ClientError) -> PathFacts? {
        let plan = try SocketPlan(
            option: arguments.text(.socket),
            environment: context.environment,
            userID: geteuid()
        )
        guard path != SocketPlan.systemPath, plan.candidates.contains(SocketPlan.systemPath) else { return nil }
        guard ListeningSockets.all.contains(SocketPlan.systemPath) else { return nil }
        return PathFacts(of: SocketPlan.systemPath)
    }

    private func configuration(ofSystem isSystem: Bool, _ userID: UInt32) -> ConfigurationCheck {
        guard !isSystem || userID == 0 else { return .notOurs }
        return .run(ofSystem: isSystem, context)
    }

    /// The directories of the daemon: the user's, or the system's.
    private func directories(_ isOwn: Bool) -> [DoctorFacts.Directory] {
        var directories: [DoctorFacts.Directory] = []
        func add(_ purpose: String, _ path: String?, isSecret: Bool = false, isWritten: Bool = false) {
            guard let path else { return }
            directories.append(
                DoctorFacts.Directory(
                    purpose: purpose,
                    path: path,
                    facts: PathFacts(of: path),
                    isSecret: isSecret,
                    openFiles: isSecret ? PathFacts.openFiles(in: path) : [],
                    isWritten: isWritten,
                    freeBytes: isWritten ? PathFacts.freeBytes(at: path) : nil
                )
            )
        }
        guard isOwn else {
            add("configuration", "/etc/searchd")
            add("keys", KeyStore.systemDirectory, isSecret: true)
            add("runtime", "/run/searchd")
            add("state", "/var/lib/searchd", isWritten: true)
            add("cache", "/var/cache/searchd", isWritten: true)
            return directories
        }
        let environment = context.environment
        func own(_ variable: String, _ fallback: String) -> String? {
            environment.directory(variable) ?? environment.directory("HOME").map { "\($0)/\(fallback)" }
        }
        add("configuration", own("XDG_CONFIG_HOME", ".config").map { $0 + "/searchd" })
        add("keys", own("XDG_CONFIG_HOME", ".config").map { $0 + "/searchd/keys" }, isSecret: true)
        add("runtime", environment.directory("XDG_RUNTIME_DIR"))
        add("state", own("XDG_STATE_HOME", ".local/state").map { $0 + "/searchd" }, isWritten: true)
        add("cache", own("XDG_CACHE_HOME", ".cache").map { $0 + "/searchd" }, isWritten: true)
        return directories
    }

    private func units() -> [DoctorFacts.Unit] {
        let manager = ServiceManager(context)
        guard manager.isThere else { return [] }
        return [false, true].flatMap { isUsers in
            ["searchd.socket", "searchd.service"].compactMap { name in
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
