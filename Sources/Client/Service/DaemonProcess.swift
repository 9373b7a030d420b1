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

    let id: Int32
    let userID: UInt32
    let socket: String
    let manager: DaemonManager
    private let peer: Peer?

    static func running(_ context: Context) throws(ClientError) -> DaemonProcess? {
        do throws(ClientError) {
            let connector = try Connector(context, starting: .nothing)
            return try connector.withExchange { exchange throws(ClientError) in
                let hello = try exchange.ask(.hello, within: timeoutSeconds)
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

    func requireOwn(to verb: String) throws(ClientError) {
        let isSystem = socket == SocketPlan.systemPath && geteuid() != 0
        guard userID == geteuid() else {
            let owner = UserName.text(userID)
            let sudoUser = owner == String(userID) ? "'#\(userID)'" : owner
            let command =
                isSystem ? "sudo searchctl \(verb)" : "sudo -u \(sudoUser) searchctl --socket \(socket) \(verb)"
            let message = "the searchd on \(socket) belongs to user \(owner)"
            throw ClientError(.init(.forbidden), message, hint: "Run “\(command)”.")
        }
        guard let peer, peer.processID == id, peer.userID == userID else {
            throw ClientError(
                .init(.forbidden),
                "the socket \(socket) was not created by searchd (process \(id)) itself",
                hint: isSystem ? "Run “sudo searchctl \(verb)”." : "Use the service manager that started searchd."
            )
        }
    }

    func stop(_ context: Context) throws(ClientError) {
        try requireOwn(to: "stop")
        let process = platform_open_process(id)
        guard process >= 0 else { return }
        let ended = FileDescriptor(owning: process)
        guard kill(id, SIGTERM) == 0 else {
            throw ClientError(SystemError(call: "stopping process \(id)", number: platform_errno()))
        }
        let deadline = Instant.now.advanced(by: .seconds(Self.stopSeconds))
        let ready = try DescriptorIO.wait(for: ended.raw, context.console.interrupt, until: deadline)
        if ready[0] { return }
        guard !ready[1] else { throw ClientError(.interrupted, "interrupted") }
        throw ClientError(
            .init(.timeout),
            "searchd (process \(id)) is still running \(Self.stopSeconds) seconds after SIGTERM",
            hint: "“searchctl logs” may show why. “kill -9 \(id)” ends it at once."
        )
    }
}

enum DaemonManager: Equatable {
    case systemd(isUsers: Bool)
    case searchctl
    case hand([String])

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

    private static func text(_ path: String) -> String {
        String(decoding: SystemCall.contents(of: path) ?? [], as: UTF8.self)
    }
}
