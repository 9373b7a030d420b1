import CPlatform
import EventLoop
import Glibc

/// Two users who open all the connections they can leave room for root, and for a user who has none.
enum AccessGate {
    private static let connectionsMax = 4_096
    /// The limit in a short run, lower than the two users want.
    private static let descriptorsShort = 256
    private static let users: [UInt32] = [60_001, 60_002]
    private static let thirdUser: UInt32 = 60_003

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        guard geteuid() == 0 else {
            stage.say("access: not tried, since only root can become other users")
            return []
        }
        var verdicts = try attempt(stage, connections: stage.options.connections * 4, descriptors: descriptorsShort)
        if stage.options.isLong { verdicts += try attempt(stage, connections: connectionsMax, descriptors: nil) }
        return verdicts
    }

    private static func attempt(
        _ stage: HostileStage,
        connections: Int,
        descriptors: Int?
    ) throws(BenchmarkError) -> [Verdict] {
        let daemon = try stage.daemon(descriptors: descriptors)
        let program = try openToOthers(stage, daemon)
        var crowds: [(process: ChildProcess, held: Int)] = []
        for user in users {
            crowds.append(try become(user, program, daemon, connections: min(connections, connectionsMax)))
        }
        let third = try become(thirdUser, program, daemon, connections: 1)
        let root = (try? daemon.talk()).map(Wire.isServed) ?? false
        let held = crowds.map { String($0.held) }.joined(separator: " and ")
        let name = "two users who hold \(min(connections, connectionsMax)) connections each as far as they can"
        let limit = descriptors.map { ", \($0) descriptors" } ?? ""
        for crowd in crowds { crowd.process.stop() }
        return [
            Verdict(
                "\(name)\(limit): root gets in",
                measured: "\(root ? "served" : "refused"); they held \(held)",
                passed: root
            ),
            Verdict(
                "\(name)\(limit): a third user gets in",
                measured: "\(third.held == 1 ? "served" : "refused"); they held \(held)",
                passed: third.held == 1
            ),
        ]
    }

    /// Makes the socket and a copy of this program accessible to other users.
    private static func openToOthers(_ stage: HostileStage, _ daemon: HostileDaemon) throws(BenchmarkError) -> String {
        let program = stage.directory.file("idle-peer")
        let copy = try ChildProcess(Command(program: "cp", arguments: [stage.factory.programs.searchbench, program]))
        guard copy.exitStatus() == 0 else { throw copy.failure("could not copy this program") }
        for path in [stage.directory.path, daemon.directory, program] {
            _ = try SystemCall.checked("opening \(path) to others") {
                // The path lasts as long as the call.
                unsafe chmod(path, 0o755)
            }
        }
        return program
    }

    /// Runs the program as another user; how many connections it reports to hold.
    private static func become(
        _ user: UInt32,
        _ program: String,
        _ daemon: HostileDaemon,
        connections: Int
    ) throws(BenchmarkError) -> (process: ChildProcess, held: Int) {
        let words = ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups", program, "idle-peer"]
        let command = Command(
            program: "setpriv",
            arguments: words + ["--socket", daemon.socketPath, "--connections", "\(connections)"]
        )
        let process = try ChildProcess(command, log: "\(daemon.directory)/peer.log", isHeard: true)
        guard let line = try process.line(), let held = Int(String(decoding: line, as: UTF8.self)) else {
            throw process.failure("did not say how many connections it holds")
        }
        return (process, held)
    }
}
