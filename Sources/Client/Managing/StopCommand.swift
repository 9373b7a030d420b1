import Glibc
import RPC
import SearchModel

/// `searchctl stop`: ends the daemon in good order.
enum StopCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let printer = Printer(context.console)
        guard let daemon = try DaemonProcess.running(arguments, context) else {
            try printer.print("searchd is not running.\n")
            return .found
        }
        if let service = Service(of: daemon.manager) {
            try service.perform("stop", context)
            try printer.print("Stopped \(service.description).\n")
        } else {
            try daemon.stop(context)
            try printer.print("Stopped searchd (process \(daemon.id)).\n")
        }
        return .found
    }
}

/// `searchctl restart`: ends the daemon in good order and starts it again.
enum RestartCommand {
    static func run(_ arguments: Arguments, _ context: Context) throws(ClientError) -> ExitStatus {
        let printer = Printer(context.console)
        guard let daemon = try DaemonProcess.running(arguments, context) else {
            let started = try Connector(arguments, context).connect().path
            // A socket of systemd takes connections before there is a daemon, and when none can start.
            guard try DaemonProcess.running(arguments, context) != nil else {
                if geteuid() == 0 {
                    let check = ConfigurationCheck.run(ofSystem: true, context)
                    try check.requireRight(ofSystem: true, isRunning: false)
                }
                throw Connector.lost
            }
            try printer.print("searchd was not running. Started it on \(started).\n")
            return .found
        }
        if let service = Service(of: daemon.manager) {
            try service.requireRight(to: "restart")
            let isSystem = !service.isUsers
            try ConfigurationCheck.run(ofSystem: isSystem, context).requireRight(ofSystem: isSystem)
            try service.perform("restart", context)
            try printer.print("Restarted \(service.description).\n")
            return .found
        }
        try daemon.requireOwn(to: "restart")
        if case .hand(let words) = daemon.manager {
            throw ClientError(
                .usage,
                "searchd (process \(daemon.id)) was started by hand: \(words.joined(separator: " "))",
                hint: "Stop it with “searchctl stop”, and start it again in the same way."
            )
        }
        try ConfigurationCheck.run(ofSystem: false, context).requireRight(ofSystem: false)
        try daemon.stop(context)
        try DaemonStarter(context: context).start(listeningOn: daemon.socket)
        let id = try DaemonProcess.running(arguments, context).map { " (process \($0.id))" } ?? ""
        try printer.print("Restarted searchd\(id).\n")
        return .found
    }
}

/// The daemon as a unit of systemd.
struct Service: Equatable {
    static let system = Service(isUsers: false)

    let isUsers: Bool

    private init(isUsers: Bool) {
        self.isUsers = isUsers
    }

    /// Nil for a daemon that systemd does not run.
    init?(of manager: DaemonManager) {
        switch manager {
        case .system: isUsers = false
        case .user: isUsers = true
        case .searchctl, .hand: return nil
        }
    }

    var description: String { isUsers ? "your \(ServiceManager.unit)" : ServiceManager.unit }

    /// The command line that starts, stops or restarts it.
    func words(_ verb: String) -> [String] {
        let units =
            switch verb {
            // The first client starts the service itself.
            case "start": [ServiceManager.socketUnit]
            // Its socket would start it again.
            case "stop": [ServiceManager.socketUnit, ServiceManager.unit]
            default: [ServiceManager.unit]
            }
        return ["systemctl"] + (isUsers ? ["--user"] : []) + [verb] + units
    }

    /// The command line that shows its log.
    func logWords(lines: Int, isFollowing: Bool) -> [String] {
        ["journalctl"] + (isUsers ? ["--user"] : []) + ["--unit=\(ServiceManager.unit)", "--lines=\(lines)"]
            + [isFollowing ? "--follow" : "--pager-end"]
    }

    /// Has systemd start, stop or restart it.
    ///
    /// - Throws: `forbidden` when only root may; `noDaemon` when systemd does not do it.
    func perform(_ verb: String, _ context: Context) throws(ClientError) {
        try requireRight(to: verb)
        try ServiceManager(context).perform(words(verb), isUsers: isUsers)
    }

    /// Refuses a user who is not root what only root may have systemd do.
    func requireRight(to verb: String) throws(ClientError) {
        guard isUsers || geteuid() == 0 else {
            throw ClientError(
                .init(.forbidden),
                "only root can \(verb) the system's searchd",
                hint: "Run “sudo searchctl \(verb)”."
            )
        }
    }
}
