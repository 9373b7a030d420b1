import CPlatform
import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// The daemon that answers, and who manages it.
struct DaemonProcess {
    static let timeoutSeconds = 5
    /// The daemon gives requests in flight 5 s.
    static let stopSeconds = 10

    let id: Int32
    let userID: UInt32
    /// Where it listens.
    let socket: String
    let manager: DaemonManager
    /// The process on the other side of the socket, as the kernel names it: who made the socket, which may be systemd.
    private let peer: Peer?

    /// The daemon that is running; nil when none answers.
    static func running(_ arguments: Arguments, _ context: Context) throws(ClientError) -> DaemonProcess? {
        do throws(ClientError) {
            let connector = try Connector(arguments, context, starting: .nothing)
            return try connector.withExchange { exchange throws(ClientError) in
                let hello = try exchange.ask(.hello, within: timeoutSeconds)
                guard let id = hello[.pid]?.int.flatMap({ Int32(exactly: $0) }), id > 1,
                    let user = hello[.uid]?.int.flatMap({ UInt32(exactly: $0) })
                else { throw ClientError(.protocolViolated, "searchd does not tell which process it is") }
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

    /// Refuses a process that is not this user's, or that can't be told to be the daemon.
    ///
    /// - Parameter verb: The command that would act on it, as `stop`.
    /// - Throws: `forbidden`, with the command to run instead.
    func requireOwn(to verb: String) throws(ClientError) {
        let isSystem = socket == SocketPlan.systemPath && geteuid() != 0
        guard userID == geteuid() else {
            let user = UserName.text(userID)
            let command = isSystem ? "sudo searchctl \(verb)" : "sudo -u \(user) searchctl --socket \(socket) \(verb)"
            throw ClientError(
                .init(.forbidden),
                "the searchd on \(socket) belongs to user \(user)",
                hint: "Run “\(command)”."
            )
        }
        guard let peer, peer.processID == id, peer.userID == userID else {
            throw ClientError(
                .init(.forbidden),
                "the socket \(socket) was not made by searchd (process \(id)) itself",
                hint: isSystem ? "Run “sudo searchctl \(verb)”." : "Use the service manager that started it."
            )
        }
    }

    /// Ends the process in good order and waits until it is gone.
    ///
    /// - Throws: `forbidden` for a process that is not this user's, or that can't be told to be the daemon;
    ///   `timeout` when it is still there after `stopSeconds`.
    func stop(_ context: Context) throws(ClientError) {
        try requireOwn(to: "stop")
        let process = platform_open_process(id)
        guard process >= 0 else { return }
        let ended = FileDescriptor(owning: process)
        guard kill(id, SIGTERM) == 0 else {
            throw ClientError(SystemError(call: "stopping process \(id)", number: platform_errno()))
        }
        let deadline = Instant.now.advanced(by: .seconds(Self.stopSeconds))
        let came = try Transfers.wait(for: ended.raw, context.console.interrupt, until: deadline)
        if came[0] { return }
        guard !came[1] else { throw ClientError(.interrupted, "interrupted") }
        throw ClientError(
            .init(.timeout),
            "searchd (process \(id)) is still running \(Self.stopSeconds) seconds after it was told to stop",
            hint: "“searchctl logs” may say why; “kill -9 \(id)” ends it at once."
        )
    }
}

/// Who manages a daemon's process: the one to ask for its end, its restart and its log.
enum DaemonManager: Equatable {
    /// The machine's service manager, which only root may tell to do something.
    case system
    /// The service manager of the user.
    case user
    /// A searchctl has started it.
    case searchctl
    /// It was started in another way, with this command line.
    case hand([String])

    /// Of a process that may be gone by now.
    static func of(process: Int32) -> DaemonManager {
        of(cgroup: text("/proc/\(process)/cgroup"), commandLine: text("/proc/\(process)/cmdline"))
    }

    /// Of what the kernel tells about a process; pure.
    static func of(cgroup: String, commandLine: String) -> DaemonManager {
        for line in cgroup.split(separator: "\n") where line.hasSuffix("/\(ServiceManager.unit)") {
            return line.contains("/user@") ? .user : .system
        }
        let words = commandLine.split(separator: "\0", omittingEmptySubsequences: true).map(String.init)
        let isOurs = words.count == 5 && words[1] == "--socket" && words[3...] == ["--ready-fd", "3"]
        return isOurs ? .searchctl : .hand(words)
    }

    private static func text(_ path: String) -> String {
        // The path lives through the call.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        let file = FileDescriptor(owning: descriptor)
        return String(decoding: (try? Transfers.read(file.raw, bytesMax: 64 << 10)) ?? [], as: UTF8.self)
    }
}
