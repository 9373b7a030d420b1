import EventLoop

/// Measures the start time of the programs and the cost of an idle server.
enum StartPart {
    private static let readyMax = 25e6
    private static let residentMax = 16.0 * 1_048_576
    private static let startCount = 20
    private static let idleSeconds = 5
    private static let silentConnections = 500
    /// The time to wait after a server's first answer, so that its background work ends.
    private static let settling = Duration.milliseconds(500)

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        progress("\(startCount) starts of each program")
        let starts = try starts(options, environment)
        progress("idle servers")
        return [starts, try idle(options, environment)]
    }

    /// Starts the programs alternately, so a busy machine slows all of them equally.
    private static func starts(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        let searchd = try environment.searchd()
        let ping = Command(
            program: "\(environment.programs)/searchctl",
            arguments: ["ping"],
            environment: ["SEARCHD_SOCKET=\(searchd.socketPath)"]
        )
        var contests: [(name: String, run: () throws -> Server?)] = [
            ("searchd until ready", { try environment.searchd() }),
            (
                "searchctl ping",
                {
                    try ChildProcess(ping).awaitSuccess()
                    return nil
                }
            ),
        ]
        if !options.isAlone { contests.append(("redis until ready", { try environment.redis() })) }
        var times = [[Double]](repeating: [], count: contests.count)
        for _ in 0..<startCount {
            for (index, contest) in contests.enumerated() {
                let start = SystemCall.now
                let server = try contest.run()
                times[index].append(Double(SystemCall.now - start))
                server?.process.stop()
            }
        }
        var table = ResultTable(["milliseconds", "median (extremes)"])
        for (contest, times) in zip(contests, times) {
            table.add(contest.name, [Spread(times).map(Unit.milliseconds.text) ?? "–"])
        }
        return Section(
            title: "Starting, \(startCount) times each",
            tables: [table],
            verdicts: [Verdict("searchd is ready within 25 ms", Spread(times[0]), .milliseconds, atMost: readyMax)]
        )
    }

    private static func idle(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        var section = Section(title: "Idle for \(idleSeconds) s, and with \(silentConnections) silent connections")
        var table = ResultTable(["", "memory MiB", "wake-ups", "memory, connected MiB", "wake-ups, connected"])
        for server in [try environment.searchd()] + (options.isAlone ? [] : [try environment.redis()]) {
            let alone = try rest(server)
            // Each connection sends a ping first, so its request buffers are included.
            let silent = try (0..<silentConnections).map { _ in try server.ping() }
            let connected = try withExtendedLifetime(silent) { try rest(server) }
            table.add(
                server.name,
                [alone, connected].flatMap { [Unit.mebibytes.text($0.resident), "\($0.wakeUps)"] }
            )
            guard server.name == "searchd" else { continue }
            let (resident, wakeUps) = (alone.resident, alone.wakeUps + connected.wakeUps)
            section.verdicts = [
                Verdict(
                    "idle under 16 MiB",
                    measured: Unit.mebibytes.text(resident),
                    passed: resident < residentMax
                ), Verdict("no wake-ups when idle", measured: "\(wakeUps)", passed: wakeUps == 0),
            ]
        }
        section.tables = [table]
        return section
    }

    /// Leaves a server idle; returns its resident memory before and its wake-ups during that time.
    private static func rest(_ server: Server) throws -> (resident: Double, wakeUps: Int) {
        SystemCall.pause(settling)
        let resident = try server.process.residentBytes()
        let before = server.process.wakeUps()
        SystemCall.pause(.seconds(idleSeconds))
        return (resident, server.process.wakeUps() - before)
    }
}
