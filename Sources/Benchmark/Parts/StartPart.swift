import EventLoop

/// How long programs take to start: in turns, so that a busy machine slows all of them alike.
enum StartPart {
    private static let readyNanosecondsMax = 30e6
    private static let pingNanosecondsMax = 2e6
    /// The pause between two pings to a server that is not ready yet.
    private static let asking = Duration.microseconds(50)

    /// Something that is started and timed.
    private struct Contest {
        let name: String
        let measure: () throws(BenchmarkError) -> Int64
        var nanoseconds: [Double] = []
    }

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> Report.Section {
        progress("start: \(options.starts) times each")
        var contests = try contests(options, factory)
        for _ in 0..<options.starts {
            for index in contests.indices {
                contests[index].nanoseconds.append(Double(try contests[index].measure()))
            }
        }
        return section(contests, starts: options.starts)
    }

    private static func contests(_ options: Options, _ factory: PeerFactory) throws(BenchmarkError) -> [Contest] {
        var contests = [
            Contest(name: "/bin/true") { () throws(BenchmarkError) in
                try timeToEnd(Command(program: "/bin/true"))
            }
        ]
        for name in options.peers {
            contests.append(
                Contest(name: "\(name.rawValue) until ready") { () throws(BenchmarkError) in
                    try timeToReady(factory.plan(name), factory)
                }
            )
            guard name != .echo else { continue }
            let peer = try factory.start(name)
            let command = ping(name, factory.programs, socketPath: peer.socketPath)
            contests.append(
                Contest(name: "\(command.name) ping") { () throws(BenchmarkError) in
                    // The server runs until its last reference is gone.
                    try withExtendedLifetime(peer) { () throws(BenchmarkError) in try timeToEnd(command) }
                }
            )
        }
        return contests
    }

    private static func ping(_ name: PeerName, _ programs: Programs, socketPath: String) -> Command {
        switch name {
        case .searchd:
            Command(program: programs.searchctl, arguments: ["ping"], environment: ["SEARCHD_SOCKET=\(socketPath)"])
        case .redis, .echo:
            Command(program: "redis-cli", arguments: ["-s", socketPath, "ping"])
        }
    }

    /// From before the program is executed until it has ended, successfully.
    private static func timeToEnd(_ command: Command) throws(BenchmarkError) -> Int64 {
        let start = SystemCall.now
        let process = try ChildProcess(command)
        let status = process.exitStatus()
        let elapsed = SystemCall.now - start
        guard status == 0 else {
            throw process.failure("ended with status \(status.map(String.init) ?? "of a signal")")
        }
        return elapsed
    }

    /// From before the program is executed until it has answered a ping; then it is stopped.
    private static func timeToReady(_ plan: PeerFactory.Plan, _ factory: PeerFactory) throws(BenchmarkError) -> Int64 {
        let start = SystemCall.now
        let peer = try factory.launch(plan)
        try peer.awaitReady(pausing: asking)
        let elapsed = SystemCall.now - start
        peer.process.stop()
        return elapsed
    }

    private static func section(_ contests: [Contest], starts: Int) -> Report.Section {
        var table = ResultTable(["milliseconds", "median"])
        var spreads: [String: Spread] = [:]
        for contest in contests {
            guard let spread = Spread(contest.nanoseconds) else { continue }
            spreads[contest.name] = spread
            table.add(contest.name, [.rounds(spread, .milliseconds, withExtremes: true)])
        }
        return Report.Section(
            name: "start",
            title: "Starting, \(starts) times each",
            tables: [table],
            verdicts: verdicts(spreads)
        )
    }

    private static func verdicts(_ spreads: [String: Spread]) -> [Verdict] {
        var verdicts: [Verdict] = []
        if let ready = spreads["searchd until ready"] {
            let measured = "\(Unit.milliseconds.text(ready.median)) ms"
            let passed = ready.median <= readyNanosecondsMax
            verdicts.append(Verdict("searchd ready within 30 ms", measured: measured, passed: passed))
        }
        if let ours = spreads["searchctl ping"], let theirs = spreads["redis-cli ping"] {
            let more = ours.median - theirs.median
            let measured = "\(Unit.milliseconds.text(more)) ms more"
            let target = "searchctl ping within 2 ms of redis-cli ping"
            verdicts.append(Verdict(target, measured: measured, passed: more <= pingNanosecondsMax))
        }
        return verdicts
    }
}
