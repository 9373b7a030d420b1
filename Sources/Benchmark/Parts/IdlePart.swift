import EventLoop

/// What an idle server costs: memory, wake-ups, and the memory of connections that are silent.
enum IdlePart {
    /// Silent connections.
    static let connections = 1_000
    private static let residentMax = 16.0 * 1_048_576
    /// The time for what a server still does after its first answer.
    private static let settling = Duration.milliseconds(500)

    /// One server's figures.
    struct Figures: Sendable {
        var residentBytes = 0
        /// While it was watched, without a connection.
        var wakeups = 0
        /// While it was watched, with all the connections.
        var wakeupsConnected = 0
        var residentBytesConnected = 0

        var bytesPerConnection: Double { Double(residentBytesConnected - residentBytes) / Double(connections) }
    }

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> Report.Section {
        var figures: [(PeerName, Figures)] = []
        for name in options.peers {
            progress("idle: \(name.rawValue)")
            figures.append((name, try measure(factory.start(name), watching: options.idling)))
        }
        return section(figures, watching: options.idling)
    }

    private static func measure(_ peer: Peer, watching: Duration) throws(BenchmarkError) -> Figures {
        let process = peer.process.figures
        var figures = Figures()
        SystemCall.pause(settling)
        figures.residentBytes = try process.residentBytes()
        figures.wakeups = try wakeups(of: process, during: watching)
        // Each sends a ping first, so that what a connection allocates for requests is counted.
        var silent: [Dialogue] = []
        for _ in 0..<connections {
            let dialogue = try Dialogue(peer.socketPath)
            try peer.ping(dialogue)
            silent.append(dialogue)
        }
        SystemCall.pause(settling)
        figures.residentBytesConnected = try process.residentBytes()
        figures.wakeupsConnected = try withExtendedLifetime(silent) { () throws(BenchmarkError) in
            try wakeups(of: process, during: watching)
        }
        return figures
    }

    private static func wakeups(of process: ProcessFigures, during watching: Duration) throws(BenchmarkError) -> Int {
        let before = try process.voluntarySwitches()
        SystemCall.pause(watching)
        return try process.voluntarySwitches() - before
    }

    private static func section(_ figures: [(PeerName, Figures)], watching: Duration) -> Report.Section {
        let seconds = "\(watching.components.seconds) s"
        var table = ResultTable([
            "idle", "memory MiB", "wake-ups in \(seconds)", "wake-ups, connected", "memory, connected MiB",
            "bytes/connection",
        ])
        for (name, figures) in figures {
            table.add(
                name.rawValue,
                [
                    .one(Double(figures.residentBytes), .mebibytes), .one(figures.wakeups),
                    .one(figures.wakeupsConnected), .one(Double(figures.residentBytesConnected), .mebibytes),
                    .one(figures.bytesPerConnection),
                ]
            )
        }
        let title = "Idle, and with \(connections) silent connections"
        return Report.Section(
            name: "idle",
            title: title,
            tables: [table],
            verdicts: figures.filter { $0.0 == .searchd }.flatMap { verdicts($0.1, seconds: seconds) }
        )
    }

    private static func verdicts(_ figures: Figures, seconds: String) -> [Verdict] {
        let wakeups = figures.wakeups + figures.wakeupsConnected
        let resident = Double(figures.residentBytes)
        return [
            Verdict("no wake-ups when idle", measured: "\(wakeups) in twice \(seconds)", passed: wakeups == 0),
            Verdict(
                "at most 16 MiB resident when idle",
                measured: Unit.mebibytes.text(resident),
                passed: resident <= residentMax
            ),
        ]
    }
}
