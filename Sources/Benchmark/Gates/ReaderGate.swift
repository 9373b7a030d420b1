import EventLoop
import JSON

/// Clients that request much and read nothing, or do not end their lines, use little memory and delay nobody.
enum ReaderGate {
    /// The most the daemon may have resident: 64 MiB of cache, 32 MiB of one user's buffers, and the program at work.
    private static let residentMax = 160.0 * 1_048_576
    /// What may remain after the attackers have left, beyond the start.
    private static let leftMax = 32.0 * 1_048_576
    private static let returnMax: Int64 = 15_000_000_000
    private static let pingP99Max = 50e6
    private static let pingMax: Int64 = 1_000_000_000
    private static let warmSearches = 800
    /// An answer of some hundred KiB, from the cache.
    private static let long = Wire.search("고양이", "kakao.blog", #","limit":1000,"maxAge":86400"#)
    private static let streamed = Wire.search("고양이", "kakao.blog", #","limit":1000,"maxAge":86400,"stream":true"#)

    private struct Attack {
        let name: String
        let connections: Int
        let bytes: [UInt8]
    }

    private static func attacks(_ options: GateOptions) -> [Attack] {
        let count = options.connections
        let metrics = "[\((1...64).map { Wire.object($0, "server/metrics") }.joined(separator: ","))]\n"
        return [
            Attack(name: "\(count) connections with 64 unread searches", connections: count, bytes: lines(64, long)),
            Attack(name: "\(count) connections with 20 unread streams", connections: count, bytes: lines(20, streamed)),
            Attack(
                name: "\(count) connections with 16 unread batches",
                connections: count,
                bytes: (1...16).flatMap { _ in Array(metrics.utf8) }
            ),
            Attack(
                name: "\(max(384, count / 2)) unfinished lines of 1 MiB",
                connections: max(384, count / 2),
                bytes: [UInt8](repeating: UInt8(ascii: " "), count: LineGate.lineBytesMax)
            ),
        ]
    }

    private static func lines(_ count: Int, _ params: String) -> [UInt8] {
        (1...count).flatMap { Wire.request($0, "search", params) }
    }

    static func run(_ options: GateOptions, _ stage: Stage, say: (String) -> Void) throws -> [Verdict] {
        try attacks(options).flatMap { attack in
            say(attack.name)
            let server = try stage.searchd()
            _ = try server.result("search", long)
            let talk = try server.talk()
            for number in 0..<warmSearches {
                let search = Wire.search(Words.newSearch(number).query, "kakao.blog", #","limit":1"#)
                _ = try talk.result("search", search)
            }
            return try attempt(attack, server, isLong: options.isLong)
        }
    }

    private static func attempt(_ attack: Attack, _ server: Server, isLong: Bool) throws -> [Verdict] {
        let start = try server.process.residentBytes()
        let probe = try Probe(server)
        let crowd = Crowd(server.socketPath)
        for _ in 0..<attack.connections { crowd.join(attack.bytes, byteWise: false) }
        crowd.drive(until: SystemCall.now + (isLong ? 10 : 3) * 1_000_000_000) { server.process.isRunning }
        let window = probe.stop()
        crowd.leave(attack.connections)
        guard server.process.isRunning else {
            return [Verdict("\(attack.name): the daemon lives", measured: "it ended", passed: false)]
        }
        let begin = SystemCall.now
        var left = try server.process.residentBytes()
        while left > start + leftMax, SystemCall.now - begin < returnMax {
            SystemCall.pause(.milliseconds(50))
            left = try server.process.residentBytes()
        }
        let (peak, p99) = (try server.process.peakResidentBytes(), window.latencies.percentile(0.99))
        return [
            Verdict(
                "\(attack.name): at most \(Unit.mebibytes.text(residentMax)) MiB resident",
                measured: "\(Unit.mebibytes.text(peak)) MiB, \(Unit.mebibytes.text(start)) before",
                passed: peak <= residentMax
            ),
            Verdict(
                "\(attack.name): memory is returned within 15 s",
                measured: "\(Unit.mebibytes.text(left)) MiB left",
                passed: left <= start + leftMax
            ),
            Verdict(
                "\(attack.name): another's pings take at most \(isLong ? "50 ms (p99)" : "1 s")",
                measured: "p99 \(Unit.milliseconds.text(p99)) ms, longest "
                    + "\(Unit.milliseconds.text(window.longest)) ms",
                passed: !window.isBroken && (isLong ? p99 <= pingP99Max : window.longest <= pingMax)
            ),
        ]
    }
}
