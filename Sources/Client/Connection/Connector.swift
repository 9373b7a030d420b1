package import EventLoop
import Glibc
import JSON
import RPC
import SearchModel

/// Connects to the daemon, or starts a daemon if no daemon answers.
package struct Connector {
    package static let lost = ClientError(
        .connectionLost,
        "searchd closed the connection before it answered",
        hint: "Try again. If it happens again, “searchctl logs” may show why."
    )

    package enum Starting {
        case any
        case own
        case nothing
    }

    private static let repeatsMax = 3

    private let plan: SocketPlan
    private let starting: Starting
    private let context: Context

    package init(_ context: Context, socket: String? = nil, starting: Starting = .any) throws(ClientError) {
        plan = try SocketPlan(
            option: context.chosenSocket ?? socket,
            environment: context.environment,
            userID: geteuid()
        )
        self.starting = context.arguments.has(.noStart) ? .nothing : starting
        self.context = context
    }

    func ask(_ method: MethodName, _ params: [UInt8]? = nil) throws(ClientError) -> JSONCursor {
        do throws(ClientError) {
            return try withExchange { exchange throws(ClientError) in try exchange.ask(method, params: params) }
        } catch {
            throw OptionWords.translate(error)
        }
    }

    /// Runs `body`.
    ///
    /// If the connection ends before any output, runs `body` again on a new connection.
    package func withExchange<Result>(
        _ body: (inout DaemonConnection) throws(ClientError) -> Result
    ) throws(ClientError) -> Result {
        var repeatsLeft = Self.repeatsMax
        while true {
            var exchange = try connect()
            do throws(ClientError) {
                return try body(&exchange)
            } catch {
                let wentSilently = error.code == .connectionLost && !exchange.hasReceived
                let isGoing = error.code == .init(.shuttingDown) && !exchange.hasPrinted
                guard wentSilently || isGoing, repeatsLeft > 0 else { throw error }
                repeatsLeft -= 1
            }
        }
    }

    package func connect(until deadline: Instant? = nil) throws(ClientError) -> DaemonConnection {
        let exchange = try reach(until: deadline)
        let peer = exchange.peer?.userID
        let isTrusted = peer.map(context.trustedUsers.contains) ?? false
        if !isTrusted, let directory = SocketTrust.openDirectory(to: exchange.path) {
            let owner = peer.map { "user \(UserName.text($0))" } ?? "an unknown user"
            let hint =
                "Use --socket or $SEARCHD_SOCKET to choose a socket in a directory that only its owner can write to."
            let message =
                "\(exchange.path) belongs to \(owner), and other users can write to \(directory), so the socket is not used"
            throw ClientError(.init(.forbidden), message, hint: hint)
        }
        return exchange
    }

    private func reach(until deadline: Instant?) throws(ClientError) -> DaemonConnection {
        for (index, path) in plan.candidates.enumerated() {
            do {
                let patience = deadline.map { Instant.now.duration(to: $0) } ?? UnixSocket.connectMax
                let socket = try UnixSocket.connect(to: path, within: patience)
                return connection(socket, path)
            } catch {
                let isAbsent = [ENOENT, ECONNREFUSED, ENOTDIR].contains(error.number)
                let isForbidden = [EACCES, EPERM].contains(error.number)
                let isOthers = isForbidden && index > 0 && path == plan.candidates.last && starting != .nothing
                if plan.isChosen, PathFacts(of: path)?.isSocket == false {
                    throw ClientError(.noDaemon, "\(path) is not a socket")
                }
                guard isAbsent || isOthers else { throw unreachable(path, error) }
            }
        }
        let path = try start()
        do {
            return connection(try UnixSocket.connect(to: path), path)
        } catch {
            throw unreachable(path, error)
        }
    }

    private func connection(_ socket: consuming FileDescriptor, _ path: String) -> DaemonConnection {
        let half = context.arguments.duration(.timeout).map { max($0 / 2, .milliseconds(500)) }
        let silenceMax = min(half ?? DaemonConnection.silenceMaxDefault, DaemonConnection.silenceMaxDefault)
        return DaemonConnection(socket: socket, console: context.console, path: path, silenceMax: silenceMax)
    }

    private func start() throws(ClientError) -> String {
        let tried = "no searchd answers on \(plan.candidates.joined(separator: " nor on "))"
        let stopped = "the system's searchd is stopped"
        let start = plan.start(
            userID: geteuid(),
            hasService: ServiceManager(context).hasService,
            isListening: PathFacts(of: SocketPlan.systemPath) != nil
        )
        let hint: String
        switch start {
        case .serviceByRoot:
            let own = "systemctl --user start \(ServiceManager.socketUnit)"
            hint = "Start it with “sudo searchctl restart”, or start your own searchd with “\(own)”."
            throw ClientError(.noDaemon, stopped, hint: hint)
        case .service where starting != .any:
            throw ClientError(.noDaemon, stopped, hint: "Start it with “searchctl restart”.")
        case nil where plan.isChosen:
            hint =
                "searchctl starts a daemon only on the default socket. Omit --socket and $SEARCHD_SOCKET, or run "
                + "“searchd --socket \(plan.candidates[0])”."
        case nil: hint = "To start your own searchd, set XDG_RUNTIME_DIR or HOME, or give a path with --socket."
        case _ where context.arguments.has(.noStart): hint = "To start it, omit --no-start."
        case _ where starting == .nothing: hint = "Any search with searchctl starts it."
        case .service:
            try ServiceManager(context).perform("start", isUsers: false)
            return SocketPlan.systemPath
        case .own(let path):
            try DaemonStarter(context: context).start(listeningOn: path)
            return path
        }
        throw ClientError(.noDaemon, tried, hint: hint)
    }

    private func unreachable(_ path: String, _ error: SystemError) -> ClientError {
        let isForbidden = [EACCES, EPERM].contains(error.number)
        switch error.number {
        case EAGAIN:
            let message = "the searchd on \(path) accepts no more connections now"
            return ClientError(.init(.overloaded), message, hint: "Try again later.")
        case _ where isForbidden && !plan.isChosen && path != SocketPlan.systemPath:
            if PathFacts.mayUse(PathFacts.parent(of: path), X_OK) {
                let hint = "If the socket is yours, run: chmod 600 \(path)"
                return ClientError(.init(.forbidden), "you may not use the socket \(path)", hint: hint)
            }
            let isGiven = path == plan.candidates[0] && context.environment.directory("XDG_RUNTIME_DIR") != nil
            let hint =
                "Another user owns this directory or one above it. "
                + (isGiven ? "Run “unset XDG_RUNTIME_DIR”." : "“searchctl doctor” names that directory.")
            return ClientError(.init(.forbidden), "you may not use \(PathFacts.parent(of: path))", hint: hint)
        case _ where isForbidden:
            let hint = "Ask the administrator for access, or use your own daemon with --socket PATH."
            return ClientError(.init(.forbidden), "you may not use the searchd on \(path)", hint: hint)
        default: return ClientError(.noDaemon, "the searchd on \(path) can't be reached (\(error))")
        }
    }
}
