import EventLoop
import JSON

/// The real daemon under attack: it can be killed, started again on the same state, and looked at from outside.
final class HostileDaemon {
    /// What it is configured to keep in its cache.
    static let cacheBytes = 16 << 20
    /// How long it may take over a question about itself.
    private static let askingNanoseconds: Int64 = 2_000_000_000
    private static let startPause = Duration.microseconds(200)

    let place: String
    let socketPath: String
    private let factory: PeerFactory
    private let plan: PeerFactory.Plan
    private var peer: Peer

    init(_ factory: PeerFactory, place: String, descriptors: Int?) throws(BenchmarkError) {
        self.factory = factory
        self.place = place
        socketPath = "\(place)/socket"
        let arguments = [
            "--socket", socketPath, "--config", "\(place)/config.json5", "--state", "\(place)/state", "--cache",
            "\(place)/cache", "--log-level", "error",
        ]
        // As searchctl and the units start it.
        let environment = ["GLIBC_TUNABLES=glibc.malloc.tcache_count=64:glibc.malloc.hugetlb=1"]
        let command =
            if let descriptors {
                Command(
                    program: "/bin/sh",
                    arguments: ["-c", "ulimit -n \(descriptors); exec \"$0\" \"$@\"", factory.programs.searchd]
                        + arguments,
                    environment: environment
                )
            } else {
                Command(program: factory.programs.searchd, arguments: arguments, environment: environment)
            }
        plan = PeerFactory.Plan(name: .searchd, command: command, socketPath: socketPath, log: "\(place)/log")
        peer = try factory.launch(plan)
        try peer.awaitReady(pausing: Self.startPause)
    }

    var process: ChildProcess { peer.process }

    /// Ends it as a crash would, in the middle of whatever it does.
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

    /// One question on a connection of its own; nil when no result came in time.
    func ask(_ method: String, _ params: String = "{}") -> JSONCursor? {
        guard let talk = try? talk() else { return nil }
        let deadline = SystemCall.now + Self.askingNanoseconds
        guard talk.send(Wire.request(1, method, params), until: deadline) else { return nil }
        return Wire.result(talk.line(until: deadline))
    }

    /// How many turns of its loop took longer than this, as the daemon counts them; nil when it does not tell.
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
