import Glibc
import RPC
import SearchModel

/// The command `searchctl stop`, which stops the daemon.
enum StopCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let daemon = try DaemonProcess.running(context) else {
            let place = context.chosenSocket.map { " on \($0)" } ?? ""
            try context.console.print("searchd is not running\(place).\n")
            return .found
        }
        if case .systemd(let isUsers) = daemon.manager {
            try ServiceManager.requireRight(to: "stop", isUsers: isUsers)
            try ServiceManager(context).perform("stop", isUsers: isUsers)
            try context.console.print("Stopped \(isUsers ? "your " : "")\(ServiceManager.unit).\n")
        } else {
            try daemon.stop(context)
            try context.console.print("Stopped searchd (process \(daemon.id)).\n")
        }
        return .found
    }
}

/// The command `searchctl restart`, which stops the daemon and starts it again.
enum RestartCommand {
    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        do throws(ClientError) {
            return try restart(context)
        } catch  where [.noDaemon, .connectionLost].contains(error.code) && context.chosenSocket == nil {
            let isSystem = geteuid() == 0 && ServiceManager(context).hasService
            let check = DaemonConfigurationCheck.run(ofSystem: isSystem, context)
            guard case .ran(let run?) = check, run.status == ExitStatus.notConfigured.number else { throw error }
            var failure = error
            failure.code = .init(.notConfigured)
            throw failure
        }
    }

    private static func restart(_ context: Context) throws(ClientError) -> ExitStatus {
        guard let daemon = try DaemonProcess.running(context) else {
            let path = try start(context)
            try context.console.print("searchd was not running. Started it on \(path).\n")
            return .found
        }
        switch daemon.manager {
        case .systemd(let isUsers):
            try ServiceManager.requireRight(to: "restart", isUsers: isUsers)
            try requireConfiguration(context)
            try ServiceManager(context).perform("restart", isUsers: isUsers)
            try context.console.print("Restarted \(isUsers ? "your " : "")\(ServiceManager.unit).\n")
        case .hand(let words):
            try daemon.requireOwn(to: "restart")
            throw ClientError(
                .usage,
                "searchd (process \(daemon.id)) was started by hand: \(words.joined(separator: " "))",
                hint: "Stop it with “searchctl stop”, and start it again in the same way."
            )
        case .searchctl:
            try daemon.requireOwn(to: "restart")
            try requireConfiguration(context)
            try daemon.stop(context)
            try DaemonStarter(context: context).start(listeningOn: daemon.socket)
            let id = try DaemonProcess.running(context).map { " (process \($0.id))" } ?? ""
            try context.console.print("Restarted searchd\(id).\n")
        }
        return .found
    }

    private static func start(_ context: Context) throws(ClientError) -> String {
        // A connection is not enough: a socket of systemd accepts connections even if the daemon can't start.
        try Connector(context).withExchange { exchange throws(ClientError) in
            _ = try exchange.ask(.ping)
            return exchange.path
        }
    }

    /// Throws if the daemon refuses the configuration, but not if the daemon does not answer.
    private static func requireConfiguration(_ context: Context) throws(ClientError) {
        do throws(ClientError) {
            _ = try ReloadCommand.reload(Connector(context, starting: .nothing))
        } catch  where error.code == .silent {}
    }
}

/// The command `searchctl logs`, which shows the log of the daemon.
enum LogsCommand {
    static let linesDefault = 50
    static let linesMax = 100_000

    enum Source: Equatable {
        case journal(isUsers: Bool)
        case file(String)
    }

    static func run(_ context: Context) throws(ClientError) -> ExitStatus {
        let source = try source(DaemonProcess.running(context), context)
        let words = words(source, context.arguments)
        guard let program = ProgramSearch.path(of: words[0], context.environment) else {
            throw ClientError(.system, "\(words[0]), which shows the log, is not in PATH", hint: "Install it.")
        }
        throw ProgramReplacement.run(program, words)
    }

    static func words(_ source: Source, _ arguments: Arguments) -> [String] {
        let lines = arguments.number(.logLines) ?? linesDefault
        let isFollowing = arguments.has(.follow)
        switch source {
        case .journal(let isUsers):
            return ["journalctl"] + (isUsers ? ["--user"] : [])
                + ["--unit=\(ServiceManager.unit)", "--lines=\(lines)", isFollowing ? "--follow" : "--pager-end"]
        case .file(let path): return ["tail", "-n", String(lines)] + (isFollowing ? ["-F"] : []) + ["--", path]
        }
    }

    private static func source(_ daemon: DaemonProcess?, _ context: Context) throws(ClientError) -> Source {
        switch daemon?.manager {
        case .systemd(let isUsers): return .journal(isUsers: isUsers)
        case .hand:
            let hint = "To keep a log, start searchd with searchctl or systemd."
            throw ClientError(
                .init(.notFound),
                "searchd was started by hand, so its log is its standard error",
                hint: hint
            )
        case nil where context.chosenSocket != nil:
            throw ClientError(.noDaemon, "no searchd answers on \(context.chosenSocket ?? "")")
        case .searchctl, nil: break
        }
        if let path = DaemonLog(environment: context.environment).path, PathFacts(of: path) != nil {
            return .file(path)
        }
        let manager = ServiceManager(context)
        if manager.state(of: ServiceManager.unit, isUsers: true) != nil { return .journal(isUsers: true) }
        if manager.hasService { return .journal(isUsers: false) }
        let message = "no log: neither searchctl nor systemd has started a searchd here"
        throw ClientError(.init(.notFound), message, hint: "Any search starts searchd.")
    }
}

extension CommandOption {
    static let follow = CommandOption("follow", letter: "f", help: "print new lines as they are written")
    static let logLines = CommandOption(
        "lines",
        letter: "n",
        value: .number("N", in: 1...LogsCommand.linesMax),
        help: "number of lines (default \(LogsCommand.linesDefault))"
    )

    static let ofLogs = [follow, logLines]
}
