import EventLoop

/// Measures the start time of the programs and the cost of an idle server.
enum StartPart {
    private static let readyMax = 25e6
    private static let residentMax = 16.0 * 1_048_576
    private static let startCount = 20
    private static let idleSeconds = 5
    private static let silentConnections = 500
    /// After its first answer, a server may work in the background for this time.
    private static let settling = Duration.milliseconds(500)

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        progress("\(startCount) starts of each program")
        let starts = try starts(options, environment)
        progress("idle servers")
        return [starts, try idle(options, environment)]
    }

    /// Alternates the programs, so other load slows all of them equally.
    private static func starts(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        let searchd = try environment.searchd()
        let ping = Command(
            program: "\(environment.programs)/searchctl",
            arguments: ["ping"],
            environment: ["SEARCHD_SOCKET=\(searchd.socketPath)"]
        )
        var contests: [(name: String, measure: () throws -> Int64)] = [
            ("/bin/true", { try timeToEnd(Command(program: "/bin/true")) }),
            ("searchd until ready", { try timeToReady { try environment.searchd() } }),
            ("searchctl ping", { try timeToEnd(ping) }),
        ]
        if options.peers.contains("redis") {
            contests.append(("redis until ready", { try timeToReady { try environment.redis() } }))
        }
        var times = [[Double]](repeating: [], count: contests.count)
        for _ in 0..<startCount {
            for (index, contest) in contests.enumerated() { times[index].append(Double(try contest.measure())) }
        }
        var table = ResultTable(["milliseconds", "median (extremes)"])
        for (contest, times) in zip(contests, times) {
            table.add(contest.name, [Spread(times).map(Unit.milliseconds.text) ?? "–"])
        }
        return Section(
            title: "Starting, \(startCount) times each",
            tables: [table],
            verdicts: [Verdict("searchd is ready within 25 ms", Spread(times[1]), .milliseconds, atMost: readyMax)]
        )
    }

    private static func timeToEnd(_ command: Command) throws -> Int64 {
        let start = SystemCall.now
        try ChildProcess(command).awaitSuccess()
        return SystemCall.now - start
    }

    private static func timeToReady(_ start: () throws -> Server) throws -> Int64 {
        let begin = SystemCall.now
        let server = try start()
        let elapsed = SystemCall.now - begin
        server.process.stop()
        return elapsed
    }

    private static func idle(_ options: Options, _ environment: BenchmarkEnvironment) throws -> Section {
        var servers = [try environment.searchd()]
        if options.peers.contains("redis") { servers.append(try environment.redis()) }
        var table = ResultTable(["", "memory MiB", "wake-ups", "memory, connected MiB", "wake-ups, connected"])
        var verdicts: [Verdict] = []
        for server in servers {
            SystemCall.pause(settling)
            let resident = try server.process.residentBytes()
            let wakeUps = wakeUps(server)
            // The first request allocates the buffers of a connection.
            let silent = try (0..<silentConnections).map { _ in try server.ping() }
            SystemCall.pause(settling)
            let connected = try server.process.residentBytes()
            let wakeUpsConnected = withExtendedLifetime(silent) { self.wakeUps(server) }
            table.add(
                server.name,
                [
                    Unit.mebibytes.text(resident), "\(wakeUps)", Unit.mebibytes.text(connected), "\(wakeUpsConnected)",
                ]
            )
            guard server.name == "searchd" else { continue }
            let all = wakeUps + wakeUpsConnected
            verdicts = [
                Verdict(
                    "an idle server uses less than 16 MiB",
                    measured: Unit.mebibytes.text(resident),
                    passed: resident < residentMax
                ), Verdict("an idle server never wakes up", measured: "\(all)", passed: all == 0),
            ]
        }
        return Section(
            title: "Idle for \(idleSeconds) s, and with \(silentConnections) silent connections",
            tables: [table],
            verdicts: verdicts
        )
    }

    private static func wakeUps(_ server: Server) -> Int {
        let before = server.process.wakeUps()
        SystemCall.pause(.seconds(idleSeconds))
        return server.process.wakeUps() - before
    }
}
