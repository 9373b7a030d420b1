import EventLoop
import Glibc

/// A well-behaved client is served nearly as fast beside many hostile ones as alone.
enum LatencyGate {
    private static let ratioMax = 2.0
    /// What a short run asks for: a ratio of a few hundred requests says more of the machine than of the daemon.
    private static let shortRunNanosecondsMax = 50_000_000.0
    private static let names = ["ping", "a cached search"]
    private static let probePause = Duration.milliseconds(1)
    private static let settling = Duration.milliseconds(400)

    /// The p99 of each request in one round.
    struct Round {
        var idle: [Double] = []
        var attacked: [Double] = []
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let daemon = try stage.daemon(limits: Warming.limits)
        let search = Wire.search("고양이", "kakao.video", #","limit":10,"maxAge":86400"#)
        guard daemon.ask("search", search) != nil else {
            throw daemon.process.failure("did not answer the search that is to be measured")
        }
        var rounds = Array(repeating: [Round](), count: names.count)
        var closed = 0
        let begin = (now: SystemCall.now, own: try ownTime())
        for number in 1...(stage.options.isLong ? 5 : 3) {
            stage.say("latency: round \(number)")
            for (index, params) in [nil, search].enumerated() {
                let request = params.map { Wire.request(1, "search", $0) } ?? Wire.ping
                let (round, lost) = try measure(request, daemon, search, stage.options)
                rounds[index].append(round)
                closed += lost
            }
        }
        let share = Double(try ownTime() - begin.own) / Double(SystemCall.now - begin.now)
        stage.say("latency: the attackers and the good client took \(Numbers.decimal(share * 100)) % of a processor")
        stage.say("latency: \(closed) attackers had been closed at the ends of the rounds")
        return zip(names, rounds).map { verdict($0, $1, stage.options) }
    }

    private static func ownTime() throws(BenchmarkError) -> Int64 {
        try ProcessFigures(process: getpid()).processorTime()
    }

    /// Alone first, then in company.
    private static func measure(
        _ request: [UInt8],
        _ daemon: HostileDaemon,
        _ search: String,
        _ options: HostileOptions
    ) throws(BenchmarkError) -> (round: Round, closed: Int) {
        let measured = Duration.milliseconds(options.isLong ? 3_000 : 500)
        let probe = try PingProbe(daemon.socketPath, requests: [request], pause: probePause)
        defer { probe.stop() }
        var round = Round()
        round.idle.append(try p99(probe, daemon, during: measured))
        let company = try Company(daemon.socketPath, search, connections: options.connections)
        round.attacked.append(try p99(probe, daemon, during: measured))
        return (round, company.leave())
    }

    private static func p99(
        _ probe: PingProbe,
        _ daemon: HostileDaemon,
        during measured: Duration
    ) throws(BenchmarkError) -> Double {
        SystemCall.pause(settling)
        _ = probe.look()
        SystemCall.pause(measured)
        let window = probe.look()
        guard !window.isBroken else { throw daemon.process.failure("did not answer a good client") }
        return Double(window.p99)
    }

    static func verdict(_ name: String, _ rounds: [Round], _ options: HostileOptions) -> Verdict {
        let idle = Spread(rounds.flatMap(\.idle))?.median ?? 0
        let attacked = Spread(rounds.flatMap(\.attacked))?.median ?? .infinity
        let ratio = idle > 0 ? attacked / idle : .infinity
        let company = "\(options.connections) byte-a-time and as many never-reading peers"
        let bound = options.isLong ? "twice the idle one" : "\(Unit.milliseconds.text(shortRunNanosecondsMax)) ms"
        return Verdict(
            "the p99 of \(name) beside \(company) is at most \(bound)",
            measured: "\(Unit.microseconds.text(attacked)) µs against \(Unit.microseconds.text(idle)) µs, "
                + "\(Numbers.decimal(ratio, places: 2)) times; medians of \(rounds.count) rounds",
            passed: options.isLong ? ratio <= ratioMax : attacked <= shortRunNanosecondsMax
        )
    }
}
