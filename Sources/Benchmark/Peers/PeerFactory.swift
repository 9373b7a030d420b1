/// Starts servers on the serving processor, each with its own directory.
final class PeerFactory {
    /// A server that could be started.
    struct Plan {
        let name: PeerName
        let command: Command
        let socketPath: String
        let log: String
    }

    let programs: Programs
    let processors: Processors
    /// The upstream of searchd; nil when searchd isn't among the peers.
    let sandbox: SandboxServer?
    private let directory: TemporaryDirectory
    /// Bytes of each of the echo's answers.
    private let answerBytes: Int
    private var started = 0

    init(_ options: Options, _ directory: TemporaryDirectory) throws(BenchmarkError) {
        self.directory = directory
        answerBytes = options.answerBytes
        programs = try Programs(directory: options.programs)
        processors = try Processors()
        try processors.settle()
        sandbox = options.peers.contains(.searchd) ? try SandboxServer(programs, in: directory) : nil
    }

    /// Prepares the start of a server, with an empty directory.
    func plan(_ name: PeerName, answerBytes: Int? = nil) throws(BenchmarkError) -> Plan {
        started += 1
        let parent = try directory.directory("\(name.rawValue)-\(started)")
        let socketPath = "\(parent)/socket"
        let command: Command
        switch name {
        case .searchd:
            guard let sandbox else {
                throw BenchmarkError(.program, "searchd has no upstream: it is not among the peers")
            }
            command = try SearchdPeer.command(programs, sandbox.accounts.configuration, directory: parent)
        case .redis:
            command = RedisPeer.command(socketPath: socketPath, directory: parent)
        case .echo:
            let bytes = answerBytes ?? self.answerBytes
            command = EchoPeer.command(programs, socketPath: socketPath, answerBytes: bytes)
        }
        return Plan(name: name, command: command, socketPath: socketPath, log: "\(parent)/log")
    }

    /// Executes the program; it need not listen yet.
    func launch(_ plan: Plan) throws(BenchmarkError) -> Peer {
        let process = try processors.serving { () throws(BenchmarkError) in
            try ChildProcess(plan.command, log: plan.log)
        }
        return Peer(name: plan.name, process: process, socketPath: plan.socketPath)
    }

    /// A server that answers.
    func start(_ name: PeerName, answerBytes: Int? = nil) throws(BenchmarkError) -> Peer {
        let peer = try launch(plan(name, answerBytes: answerBytes))
        try peer.awaitReady(pausing: .milliseconds(1))
        return peer
    }
}
