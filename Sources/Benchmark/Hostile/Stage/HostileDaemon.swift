import EventLoop
import JSON

/// The real daemon under attack: it can be killed, restarted on the same state, and measured from outside.
final class HostileDaemon {
    /// The configured size of its cache.
    static let cacheBytes = 16 << 20
    /// The timeout of a request to it.
    private static let askingNanoseconds: Int64 = 2_000_000_000
    private static let startPause = Duration.microseconds(200)

    let directory: String
    let socketPath: String
    private let factory: PeerFactory
    private let plan: PeerFactory.Plan
    private var peer: Peer

    /// `descriptors` limits how many it may have open.
    init(
        _ factory: PeerFactory,
        _ configuration: JSONValue,
        directory: String,
        descriptors: Int?
    ) throws(BenchmarkError) {
        self.factory = factory
        self.directory = directory
        socketPath = "\(directory)/socket"
        let log = ["--log-level", "error"]
        var command = try SearchdPeer.command(factory.programs, configuration, directory: directory, more: log)
        if let descriptors {
            command = Command(
                program: "/bin/sh",
                arguments: ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", command.program] + command.arguments,
                environment: command.environment
            )
        }
        plan = PeerFactory.Plan(name: .searchd, command: command, socketPath: socketPath, log: "\(directory)/log")
        peer = try factory.launch(plan)
        try peer.awaitReady(pausing: Self.startPause)
    }

    var process: ChildProcess { peer.process }

    /// Ends it with SIGKILL, as a crash would.
    func kill() {
        peer.process.kill()
    }

    /// Starts it again after `kill`.
    func start() throws(BenchmarkError) {
        peer = try factory.launch(plan)
        try peer.awaitReady(pausing: Self.startPause)
    }

    func restart() throws(BenchmarkError) {
        kill()
        try start()
    }

    func talk() throws(BenchmarkError) -> Dialogue { try Dialogue(socketPath) }

    /// The result of a request on a new connection; nil when none came before the deadline.
    func ask(_ method: String, _ params: String = "{}") -> JSONCursor? {
        Wire.result((try? talk())?.answer(to: Wire.request(1, method, params), within: Self.askingNanoseconds))
    }

    /// How many turns of its loop took longer than this, as the daemon counts them; nil when it does not report them.
    func turns(over milliseconds: String) -> Int? {
        guard let turns = ask("server/stats")?["loop"]?["turns"], let count = turns["count"]?.int,
            let atMost = turns["atMost"]
        else { return nil }
        return count - (atMost[milliseconds]?.int ?? 0)
    }

    func residentBytes() throws(BenchmarkError) -> Int { try process.figures.residentBytes() }

    /// The most it ever had resident, as the kernel counts it.
    func peakResidentBytes() throws(BenchmarkError) -> Int { try process.figures.peakResidentBytes() }
}
