import EventLoop
import Glibc

/// One client among many hostile ones is served nearly as fast as alone, and gets its share of a source.
///
/// As root, the attackers are two other users and the good client is a third; else all are one user.
enum CrowdGate {
    private static let connectionsMax = 128
    private static let ratioMax = 2.0
    /// What a short run asks for, whose few requests say more of the machine than of the daemon.
    private static let shortRunMax = 50e6
    private static let rivals = 32
    /// Of the calls of two users in turn, the second of whom has one search waiting at a time.
    private static let shareOfUserMin = 0.2
    /// Of an equal part among clients of one user.
    private static let shareOfClientMin = 0.8 / Double(rivals + 1)

    static func run(_ options: GateOptions, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        let isRoot = geteuid() == 0
        if !isRoot { say("all clients are one user: only root can become other users") }
        let program = stage.directory.file("crowd-peer")
        try ChildProcess(Command(program: "cp", arguments: [stage.searchbench, program])).awaitSuccess()
        try open([stage.directory.path, program])
        let peers = Peers(program: program, users: isRoot ? [60_001, 60_002, 60_003] : [])
        return [try served(options, stage, peers), try share(options, stage, peers)]
    }

    private struct Peers {
        let program: String
        /// Empty for this program's own user.
        let users: [UInt32]

        /// Starts a helper; returns it with the first line it prints.
        func start(_ role: CrowdPeer.Role, _ number: Int, as user: Int, of server: Server) throws
            -> (process: ChildProcess, line: String)
        {
            var command = Command(
                program: program,
                arguments: ["crowd-peer", role.rawValue, server.socketPath, "\(number)"]
            )
            if !users.isEmpty { command = command.run(as: users[user]) }
            let process = try ChildProcess(command, log: "\(server.directory)/peer.log", isHeard: true)
            guard let line = try process.line() else { throw process.failure("of role \(role) failed") }
            return (process, String(decoding: line, as: UTF8.self))
        }
    }

    /// Lets other users reach files.
    private static func open(_ paths: [String]) throws {
        for path in paths {
            // The path lasts as long as the call.
            _ = try SystemCall.checked("opening \(path) to others") { unsafe chmod(path, 0o755) }
        }
    }

    private static func served(_ options: GateOptions, _ stage: Stage, _ peers: Peers) throws -> Verdict {
        let server = try stage.searchd()
        try open([server.directory])
        _ = try server.talk().answer(to: CrowdPeer.cached, within: .seconds(20))
        let count = min(options.connections, connectionsMax)
        var (alone, attacked): ([Double], [Double]) = ([], [])
        var held = ""
        for _ in 0..<(options.isLong ? 5 : 2) {
            func probe() throws -> Double {
                Double(try peers.start(.probe, options.isLong ? 3 : 1, as: 2, of: server).line) ?? .infinity
            }
            alone.append(try probe())
            let attackers = try (0..<2).map { try peers.start(.hold, count, as: $0, of: server) }
            attacked.append(try probe())
            // The daemon's own user gets in, too.
            try server.ping()
            held = attackers.map(\.line).joined(separator: " and ")
            for attacker in attackers { attacker.process.stop() }
        }
        let (idle, busy) = (Spread(alone)?.median ?? 1, Spread(attacked)?.median ?? .infinity)
        return Verdict(
            "beside \(held) connections that write slowly or read nothing, the p99 of a cached search is at most "
                + (options.isLong ? "twice the idle one" : "50 ms"),
            measured: "\(Unit.microseconds.text(busy)) µs against \(Unit.microseconds.text(idle)) µs",
            passed: options.isLong ? busy <= ratioMax * idle : busy <= shortRunMax
        )
    }

    private static func share(_ options: GateOptions, _ stage: Stage, _ peers: Peers) throws -> Verdict {
        let server = try stage.searchd(limits: "{perSecond:100,perDay:1000000000,concurrency:8}")
        try open([server.directory])
        let crowd = try peers.start(.rivals, rivals, as: 0, of: server)
        let before = try stage.sandbox.requests()
        let served = Double(try peers.start(.patient, options.isLong ? 20 : 5, as: 2, of: server).line) ?? 0
        let share = served / Double(max(1, try stage.sandbox.requests() - before))
        crowd.process.stop()
        let least = peers.users.isEmpty ? shareOfClientMin : shareOfUserMin
        return Verdict(
            "beside \(rivals) waiting clients of changing names, a client with one search at a time gets its share",
            measured: "\(Unit.percent.text(share)) % of the calls; \(Unit.percent.text(least)) % are enough",
            passed: share >= least
        )
    }
}
