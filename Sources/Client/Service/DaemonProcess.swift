import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The daemon that is running, and the program that manages it.
struct DaemonProcess {
    static let timeoutSeconds = 5
    /// How long to wait after SIGTERM; the daemon takes up to 5 s to finish its requests.
    static let stopSeconds = 10
    /// How long to wait before SIGKILL if the daemon does not answer.
    static let silentStopSeconds = 6

    let id: Int32
    let userID: UInt32
    let socket: String
    let manager: DaemonManager
    private let peer: Peer?
    private(set) var isAnswering = true
    /// Whether the process is searchd, or systemd, which listens for searchd.
    private var isKnown = true

    static func running(_ context: Context) throws(ClientError) -> DaemonProcess? {
        do throws(ClientError) {
            let connector = try Connector(context, starting: .nothing)
            return try connector.withExchange { exchange throws(ClientError) in
                let hello: JSONCursor
                do throws(ClientError) {
                    hello = try exchange.ask(.hello, within: timeoutSeconds)
                } catch  where error.code == .silent {
                    let process = DaemonProcess(silent: exchange.path, exchange.peer)
                    guard process.isKnown else { throw error }
                    return process
                }
                guard let id = hello[.pid]?.int.flatMap({ Int32(exactly: $0) }), id > 1,
                    let user = hello[.uid]?.int.flatMap({ UInt32(exactly: $0) })
                else { throw ClientError(.protocolViolated, "the process ID of searchd is unknown") }
                return DaemonProcess(
                    id: id,
                    userID: user,
                    socket: exchange.path,
                    manager: .of(process: id),
                    peer: exchange.peer
                )
            }
        } catch  where error.code == .noDaemon {
            return nil
        }
    }

    /// The error for a daemon that does not answer.
    var error: ClientError {
        if !isKnown {
            let hint = "End that process, or choose another socket with --socket."
            return ClientError(.silent, "process \(id), which listens on \(socket), does not answer", hint: hint)
        }
        if case .systemd = manager {
            let hint = "Run “\(command("restart"))”."
            return ClientError(.silent, "the searchd on \(socket) does not answer", hint: hint)
        }
        guard DaemonManager.text("/proc/\(id)/status").contains("\nState:\tT") else {
            let hint = "Run “\(command(manager == .searchctl ? "restart" : "stop"))”."
            return ClientError(.silent, "searchd (process \(id)) does not answer", hint: hint)
        }
        let resume = userID == geteuid() ? "kill" : "sudo kill"
        let hint = "Run “\(resume) -CONT \(id)” to resume it, or “\(command("stop"))” to end it."
        return ClientError(.silent, "searchd (process \(id)) does not answer, because it was suspended", hint: hint)
    }

    /// The command line with which this user can stop or restart the daemon.
    private func command(_ verb: String) -> String {
        if userID == geteuid() { return "searchctl \(verb)" }
        if socket == SocketPlan.systemPath { return "sudo searchctl \(verb)" }
        let owner = UserName.text(userID)
        return "sudo -u \(owner == String(userID) ? "'#\(userID)'" : owner) searchctl --socket \(socket) \(verb)"
    }

    /// Throws `forbidden` if this user may not stop the process.
    func requireOwn(to verb: String) throws(ClientError) {
        let isSystem = socket == SocketPlan.systemPath && geteuid() != 0
        guard userID == geteuid() else {
            let message = "the searchd on \(socket) belongs to user \(UserName.text(userID))"
            throw ClientError(.init(.forbidden), message, hint: "Run “\(command(verb))”.")
        }
        guard let peer, peer.processID == id, peer.userID == userID else {
            throw ClientError(
                .init(.forbidden),
                "the socket \(socket) was not created by searchd (process \(id)) itself",
                hint: isSystem ? "Run “sudo searchctl \(verb)”." : "Use the service manager that started searchd."
            )
        }
    }

    /// Sends SIGTERM and waits until the process has ended; throws `timeout` after `stopSeconds`.
    ///
    /// A process that does not answer is resumed to handle SIGTERM, and killed after `silentStopSeconds`.
    func stop(_ context: Context) throws(ClientError) {
        try requireOwn(to: "stop")
        let process = platform_open_process(id)
        guard process >= 0 else { return }
        let ended = FileDescriptor(owning: process)
        let signals = isAnswering ? [(SIGTERM, Self.stopSeconds)] : [(SIGTERM, Self.silentStopSeconds), (SIGKILL, 2)]
        for (signal, seconds) in signals {
            guard kill(id, signal) == 0, isAnswering || kill(id, SIGCONT) == 0 else {
                throw ClientError(SystemError(call: "stopping process \(id)", number: platform_errno()))
            }
            let deadline = Instant.now.advanced(by: .seconds(seconds))
            let ready = try DescriptorIO.wait(for: ended.raw, context.console.interrupt, until: deadline)
            if ready[0] { return }
            guard !ready[1] else { throw ClientError(.interrupted, "interrupted") }
        }
        throw ClientError(
            .init(.timeout),
            "searchd (process \(id)) is still running \(Self.stopSeconds) seconds after SIGTERM",
            hint: "“searchctl logs” may show why. “kill -9 \(id)” ends it at once."
        )
    }
}

extension DaemonProcess {
    /// Identifies a process that does not answer by the credentials of its socket.
    init(silent socket: String, _ peer: Peer?) {
        let id = peer?.processID ?? 0
        let name = DaemonManager.text("/proc/\(id)/comm")
        // systemd creates the socket of a unit, so its process ID is that of systemd.
        let isSystemd = name == "systemd\n"
        self.init(
            id: id,
            userID: peer?.userID ?? 0,
            socket: socket,
            manager: isSystemd ? .systemd(isUsers: id != 1) : .of(process: id),
            peer: peer,
            isAnswering: false,
            isKnown: isSystemd || name == "searchd\n"
        )
    }
}

enum DaemonManager: Equatable {
    case systemd(isUsers: Bool)
    case searchctl
    /// A user started the daemon with this command line.
    case hand([String])

    /// Returns the manager of a process; the process may already have ended.
    static func of(process: Int32) -> DaemonManager {
        of(cgroup: text("/proc/\(process)/cgroup"), words: commandLine(of: Int(process)))
    }

    static func of(cgroup: String, words: [String]) -> DaemonManager {
        for line in cgroup.split(separator: "\n") where line.hasSuffix("/\(ServiceManager.unit)") {
            return .systemd(isUsers: line.contains("/user@"))
        }
        let isOurs = words.count == 5 && words[1] == "--socket" && words[3...] == ["--ready-fd", "3"]
        return isOurs ? .searchctl : .hand(words)
    }

    /// Returns the command line of a process, or no words if the process has ended.
    static func commandLine(of process: Int) -> [String] {
        text("/proc/\(process)/cmdline").split(separator: "\0").map(String.init)
    }

    fileprivate static func text(_ path: String) -> String {
        String(decoding: SystemCall.contents(of: path) ?? [], as: UTF8.self)
    }
}
