import CPlatform
import EventLoop
import Glibc
import RPC
import SearchModel

/// A running daemon, and the program that manages the daemon.
struct DaemonProcess {
    /// How long to wait after SIGTERM.
    ///
    /// The daemon takes up to 5 s to finish its requests.
    static let stopSeconds = 10

    let id: Int32
    let userID: UInt32
    let socket: String
    let manager: DaemonManager

    /// Returns the running daemon, or nil.
    ///
    /// Sends no request, because the daemon may not answer.
    static func running(_ context: Context) throws(ClientError) -> DaemonProcess? {
        do throws(ClientError) {
            let connection = try Connector(context, starting: .nothing).connect()
            return try of(connection.peer, on: connection.path)
        } catch  where error.code == .noDaemon {
            return nil
        }
    }

    /// Returns the daemon of a socket.
    ///
    /// `peer` is the process that created the socket: the daemon or systemd.
    static func of(_ peer: Peer?, on socket: String) throws(ClientError) -> DaemonProcess {
        guard let peer, let manager = DaemonManager.ofListener(peer.processID) else {
            let hint = "Run the command with sudo, or use the program that created the socket."
            throw ClientError(.init(.forbidden), "the socket \(socket) was not created by searchd itself", hint: hint)
        }
        return DaemonProcess(id: peer.processID, userID: peer.userID, socket: socket, manager: manager)
    }

    /// The error for a daemon that does not answer.
    var silence: ClientError {
        let isSuspended = DaemonManager.text("/proc/\(id)/status").contains("\nState:\tT")
        let resume = isSuspended ? "“\(userID == geteuid() ? "" : "sudo ")kill -CONT \(id)” to resume it, or " : ""
        var (name, verb) = ("searchd (process \(id))", "stop")
        if case .systemd = manager { (name, verb) = ("the searchd on \(socket)", "restart") }
        return ClientError(.silent, "\(name) does not answer", hint: "Run \(resume)“\(command(verb))” to end it.")
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
        guard userID != geteuid() else { return }
        let message = "the searchd on \(socket) belongs to user \(UserName.text(userID))"
        throw ClientError(.init(.forbidden), message, hint: "Run “\(command(verb))”.")
    }

    /// Sends SIGTERM, then SIGKILL after `stopSeconds`, and waits until the process has ended.
    func stop(_ context: Context) throws(ClientError) {
        try requireOwn(to: "stop")
        let process = platform_open_process(id)
        guard process >= 0 else { return }
        let ended = FileDescriptor(owning: process)
        for signal in [SIGTERM, SIGKILL] {
            guard kill(id, signal) == 0 else {
                throw ClientError(SystemError(call: "stopping process \(id)", number: platform_errno()))
            }
            // A suspended process handles SIGTERM only when it is resumed.
            kill(id, SIGCONT)
            let deadline = Instant.now.advanced(by: .seconds(Self.stopSeconds))
            let ready = try DescriptorIO.wait(for: ended.raw, context.console.interrupt, until: deadline)
            if ready[0] { return }
            guard !ready[1] else { throw ClientError(.interrupted, "interrupted") }
        }
        throw ClientError(.init(.timeout), "searchd (process \(id)) is still running after SIGKILL")
    }
}

/// What started the daemon, and can stop it.
enum DaemonManager: Equatable {
    case systemd(isUsers: Bool)
    case searchctl
    case hand([String])

    /// Returns the manager of the daemon, or nil if `process` is neither searchd nor systemd.
    ///
    /// `process` created the daemon's socket.
    static func ofListener(_ process: Int32) -> DaemonManager? {
        switch text("/proc/\(process)/comm") {
        case "searchd\n": of(process: process)
        case "systemd\n": .systemd(isUsers: process != 1)
        default: nil
        }
    }

    /// Returns the manager of a process.
    ///
    /// The process may already have ended.
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

    static func commandLine(of process: Int) -> [String] {
        text("/proc/\(process)/cmdline").split(separator: "\0").map(String.init)
    }

    fileprivate static func text(_ path: String) -> String {
        String(decoding: SystemCall.contents(of: path) ?? [], as: UTF8.self)
    }
}
