import Glibc
import SearchModel

/// `searchctl logs`: what the daemon has logged, shown by the program that knows how to.
enum LogsCommand {
    static let linesDefault = 50
    static let linesMax = 100_000

    /// Where a log is.
    enum Source: Equatable {
        case journal(Service)
        case file(String)
    }

    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let daemon = try DaemonProcess.running(arguments, context)
        let source = try source(daemon, context)
        let words = words(source, arguments)
        guard let program = ProgramSearch.path(of: words[0], context.environment) else {
            throw ClientError(.system, "there is no \(words[0]) in PATH, which shows the log", hint: "Install it.")
        }
        if source == .journal(.system), geteuid() != 0 {
            let words = Service.system.logWords(lines: 1, isFollowing: false).dropFirst() + ["--quiet"]
            try requireReadable(ProgramRun.run([program] + words))
        }
        // As systemd has it, but with long lines folded and not cut.
        throw ProgramReplacement.run(program, words, variables: ["SYSTEMD_LESS": "FRXMK"])
    }

    /// Refuses to show a journal of which this user sees nothing.
    ///
    /// - Parameter run: What the journal shows of the last line.
    /// - Throws: `forbidden`.
    static func requireReadable(_ run: ProgramRun?) throws(ClientError) {
        guard let run, run.status == 0, !run.output.isEmpty else {
            throw ClientError(
                .init(.forbidden),
                "you may not read what the system's searchd writes to the journal",
                hint: "Run “sudo searchctl logs”."
            )
        }
    }

    /// The command line that shows a log; pure.
    static func words(_ source: Source, _ arguments: Arguments) -> [String] {
        let lines = arguments.number(.logLines) ?? linesDefault
        let isFollowing = arguments.has(.follow)
        switch source {
        case .journal(let service): return service.logWords(lines: lines, isFollowing: isFollowing)
        // By name: a long log is begun anew at the next start.
        case .file(let path): return ["tail", "-n", String(lines)] + (isFollowing ? ["-F"] : []) + ["--", path]
        }
    }

    /// Where the running daemon logs, or else where the last one did.
    private static func source(_ daemon: DaemonProcess?, _ context: Context) throws(ClientError) -> Source {
        if let daemon {
            if let service = Service(of: daemon.manager) { return .journal(service) }
            if case .hand = daemon.manager {
                throw ClientError(
                    .init(.notFound),
                    "searchd (process \(daemon.id)) was started by hand, and logs to its standard error",
                    hint: "Start it with searchctl or systemd to have its log kept."
                )
            }
        }
        if let path = DaemonLog(environment: context.environment).path, unsafe access(path, R_OK) == 0 {
            return .file(path)
        }
        let manager = ServiceManager(context)
        for (isUsers, service) in [(true, Service(of: .user)), (false, Service(of: .system))] {
            if let service, manager.state(of: ServiceManager.unit, isUsers: isUsers) != nil { return .journal(service) }
        }
        // Where systemd tells this user nothing.
        if manager.hasService, let service = Service(of: .system) { return .journal(service) }
        throw ClientError(
            .init(.notFound),
            "there is no log: neither searchctl nor systemd has started a searchd here",
            hint: "Any search starts one."
        )
    }
}

/// The options of `logs`.
extension CommandOption {
    static let follow = CommandOption("follow", letter: "f", help: "go on with new lines as they come")
    static let logLines = CommandOption(
        "lines",
        letter: "n",
        value: .number("N", in: 1...LogsCommand.linesMax),
        help: "number of lines (default \(LogsCommand.linesDefault))"
    )

    static let ofLogs = [follow, logLines]
}
