import CPlatform
import EventLoop
import Glibc
import JSON

/// Attacks the daemon with clients that read nothing, write slowly or do not end their lines.
///
/// If this program runs as root, the attacking clients belong to another user.
enum SlowClientGate {
    /// 64 MiB for the cache, 32 MiB for the buffers of one user, and the rest for the program.
    private static let residentMax = 256.0 * 1_048_576
    private static let attackingUser: UInt32 = 60_001
    private static let remainingMax = 32.0 * 1_048_576
    private static let releaseTimeMax = 15e9
    private static let pingP99Max = 50e6
    private static let warmSearches = 800
    private static let long = Wire.search("고양이", "kakao.blog", #","limit":1000,"maxAge":86400"#)
    private static let streamed = Wire.search("고양이", "kakao.blog", #","limit":1000,"maxAge":86400,"stream":true"#)

    fileprivate struct Attack {
        let name: String
        let connections: Int
        let bytes: [UInt8]
        var byteWise = false
    }

    private static func attacks(_ count: Int) -> [Attack] {
        let metrics = "[\((1...64).map { Wire.object($0, "server/metrics") }.joined(separator: ","))]\n"
        let unfinished = max(384, count / 2)
        return [
            Attack(name: "\(count) connections with 64 unread searches", connections: count, bytes: lines(64, long)),
            Attack(name: "\(count) connections with 20 unread streams", connections: count, bytes: lines(20, streamed)),
            Attack(
                name: "\(count) connections with 16 unread batches",
                connections: count,
                bytes: (1...16).flatMap { _ in Array(metrics.utf8) }
            ),
            Attack(
                name: "\(unfinished) unfinished lines of 1 MiB",
                connections: unfinished,
                bytes: [UInt8](repeating: UInt8(ascii: " "), count: LineGate.lineBytesMax)
            ),
            Attack(
                name: "\(count) connections that write a byte at a time",
                connections: count,
                bytes: lines(10, long),
                byteWise: true
            ),
        ]
    }

    private static func lines(_ count: Int, _ params: String) -> [UInt8] {
        (1...count).flatMap { Wire.request($0, "search", params) }
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let isRoot = geteuid() == 0
        if !isRoot { say("not root: delays of other users are not checked") }
        var server = try warmServer(environment)
        return try attacks(options.attackers).flatMap { attack in
            say(attack.name)
            if !server.process.isRunning { server = try warmServer(environment) }
            return try attempt(attack, server, options, isRoot: isRoot)
        }
    }

    private static func warmServer(_ environment: BenchmarkEnvironment) throws -> Server {
        let server = try environment.searchd()
        _ = try server.result("search", long)
        let talk = try server.connect()
        for number in 0..<warmSearches {
            let search = Wire.search(Words.newSearch(number).query, "kakao.blog", #","limit":1"#)
            _ = try talk.result("search", search)
        }
        return server
    }

    private static func attempt(
        _ attack: Attack,
        _ server: Server,
        _ options: Options,
        isRoot: Bool
    ) throws -> [Verdict] {
        let start = try server.process.residentBytes()
        let probe = try Probe(server)
        var crowd: AttackingClients? = try AttackingClients(attack, of: server, user: isRoot ? attackingUser : nil)
        crowd?.drive(until: SystemCall.now + (options.isLong ? 10 : 3) * 1_000_000_000) { server.process.isRunning }
        let result = probe.stop()
        crowd = nil
        guard server.process.isRunning else {
            return [Verdict("\(attack.name): the daemon keeps running", measured: "it ended", passed: false)]
        }
        let end = SystemCall.now + Int64(options.limit(releaseTimeMax))
        var left = try server.process.residentBytes()
        while left > start + remainingMax, SystemCall.now < end {
            SystemCall.pause(.milliseconds(50))
            left = try server.process.residentBytes()
        }
        let (peak, p99) = (try server.process.peakResidentBytes(), result.latencies.percentile(0.99))
        let memory = [
            Verdict(
                "\(attack.name): at most \(Unit.mebibytes.text(residentMax)) MiB resident",
                measured: "\(Unit.mebibytes.text(peak)) MiB, \(Unit.mebibytes.text(start)) before",
                passed: peak <= residentMax
            ),
            Verdict(
                "\(attack.name): memory is released within \(Unit.milliseconds.text(options.limit(releaseTimeMax))) ms",
                measured: "\(Unit.mebibytes.text(left)) MiB left",
                passed: left <= start + remainingMax
            ),
        ]
        guard isRoot else { return memory }
        let pingMax = options.limit(pingP99Max)
        return memory + [
            Verdict(
                "\(attack.name): pings of another user take at most \(Unit.milliseconds.text(pingMax)) ms",
                measured: result.isBroken ? "not answered" : "p99 \(Unit.milliseconds.text(p99)) ms",
                passed: !result.isBroken && p99 <= pingMax
            )
        ]
    }
}

private final class AttackingClients {
    private final class Member {
        let socket: FileDescriptor
        var sent = 0
        var isClosed = false

        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    private static let step = Duration.milliseconds(50)

    private let output: [UInt8]
    private let byteWise: Bool
    private var members: [Member] = []

    init(_ attack: SlowClientGate.Attack, of server: Server, user: UInt32?) throws {
        (output, byteWise) = (attack.bytes, attack.byteWise)
        // The daemon sees the user of the thread that connects.
        if let user { _ = platform_set_thread_user(user) }
        defer { if user != nil { _ = platform_set_thread_user(0) } }
        for _ in 0..<attack.connections {
            members.append(Member(try UnixSocket.connect(to: server.socketPath)))
        }
    }

    func drive(until deadline: Int64, while condition: () -> Bool) {
        while SystemCall.now < deadline, condition() {
            for member in members where !member.isClosed && member.sent < output.count {
                let count = byteWise ? 1 : Int.max
                let sent = SystemCall.send(output, from: member.sent, count: count, on: member.socket.raw)
                member.sent += max(0, sent)
                member.isClosed = sent < 0 && platform_errno() != EAGAIN
            }
            SystemCall.pause(Self.step)
        }
    }
}
