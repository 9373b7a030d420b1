import EventLoop
import JSON

/// Kills the daemon repeatedly.
///
/// Checks that no quota is exceeded, and that the average kill loses at most one unit of the quota.
enum KillGate {
    /// The limit for the average over all kills.
    ///
    /// A unit is lost if a kill prevents a call that was already counted.
    static let lostPerKillMax = 1
    private static let source = "kakao.blog"

    struct Series {
        var kills = 0
        var calls = 0
        var used = 0
    }

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, say: (String) -> Void) throws -> [Verdict]
    {
        let half = max(1, options.kills / 2)
        let limit = max(4, min(1_000, half))
        say("\(half) kills within a large quota")
        let ample = try series(half, perDay: 1_000_000_000, environment)
        say("\(half) kills while a quota of \(limit) is used up")
        return verdicts(ample, try series(half, perDay: limit, environment), limit: limit)
    }

    private static func series(_ kills: Int, perDay: Int, _ environment: BenchmarkEnvironment) throws -> Series {
        let server = try environment.searchd(limits: "{perSecond:10000,concurrency:64,perDay:\(perDay)}")
        let before = try environment.sandbox.requests()
        for life in 0..<kills {
            try live(server, life)
            server.kill()
            try server.start()
        }
        _ = try server.connect().answer(to: search(0, "마지막"), within: Gate.answerMax)
        return Series(kills: kills, calls: try environment.sandbox.requests() - before, used: try used(server))
    }

    private static func live(_ server: Server, _ life: Int) throws {
        guard life % 4 != 3 else { return SystemCall.pause(.milliseconds(life % 5 * 4)) }
        let talk = try server.connect()
        let deadline = Gate.deadline
        for number in 0...(life % 3) {
            talk.send(search(number, "목숨 \(life) \(number)"), until: deadline)
            if number == life % 3, life.isMultiple(of: 2) { return }
            guard talk.line(until: deadline) != nil else {
                throw server.process.failure("did not answer a search between two kills")
            }
        }
    }

    private static func search(_ id: Int, _ query: String) -> [UInt8] {
        Wire.request(id, "search", Wire.search(query, source, #","limit":1"#))
    }

    private static func used(_ server: Server) throws -> Int {
        let sources = try server.result("source/list")["sources"]?.elements ?? []
        let quotas = sources.first { $0["source"]?.string == source }?["quota"]?.elements ?? []
        guard let used = quotas.compactMap({ $0["used"]?.int }).max() else {
            throw server.process.failure("does not report how much of a quota is used")
        }
        return used
    }

    static func verdicts(_ ample: Series, _ tight: Series, limit: Int) -> [Verdict] {
        let lost = ample.used - ample.calls
        return [
            Verdict(
                "\(ample.kills) kills lose at most \(lostPerKillMax * ample.kills) units, and every call is counted",
                measured: "\(ample.calls) calls, \(ample.used) units used",
                passed: lost >= 0 && lost <= lostPerKillMax * ample.kills && ample.calls > 0
            ),
            Verdict(
                "despite \(tight.kills) kills, a quota of \(limit) calls a day is not exceeded",
                measured: "\(tight.calls) calls, \(tight.used) units used",
                passed: tight.calls <= limit && tight.calls > 0
            ),
        ]
    }
}
