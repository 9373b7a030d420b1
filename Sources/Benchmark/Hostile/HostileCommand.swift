import CPlatform
import EventLoop

/// `searchbench hostile`: runs the gates one after another and prints one line per property.
enum HostileCommand {
    /// Returns the exit status; `report` receives each result, `progress` each step.
    static func run(
        _ options: HostileOptions,
        report: (String) -> Void,
        progress: @escaping (String) -> Void
    ) throws(BenchmarkError) -> Int32 {
        try Cleanup.runWhenInterrupted()
        defer { Cleanup.run() }
        // Two attackers of each kind, and those that replace them.
        let wanted = Int64(4 * options.connections + 1_000)
        guard platform_raise_descriptor_limit() >= wanted else {
            throw BenchmarkError(.system, "too few descriptors are allowed", hint: "raise them: ulimit -n \(wanted)")
        }
        let stage = try HostileStage(options, progress: progress)
        var failures = 0
        for part in options.parts {
            let begin = SystemCall.now
            for verdict in try verdicts(of: part, stage) {
                report(verdict.hostileLine)
                if !verdict.passed { failures += 1 }
            }
            progress("\(part.rawValue): \((SystemCall.now - begin) / 1_000_000_000) s")
        }
        report(failures == 0 ? "all of it held" : "\(failures) did not hold")
        return failures == 0 ? 0 : 1
    }

    private static func verdicts(
        of part: HostileOptions.Part,
        _ stage: HostileStage
    ) throws(BenchmarkError) -> [Verdict] {
        switch part {
        case .lines: try LineGate(stage).run()
        case .abusers: try AbuserGate.run(stage)
        case .memory: try MemoryGate.run(stage)
        case .latency: try LatencyGate.run(stage)
        case .fairness: try FairnessGate.run(stage)
        case .kills: try KillGate.run(stage)
        case .library: try LibraryGate.run(stage)
        case .upstream: try UpstreamGate.run(stage)
        case .access: try AccessGate.run(stage)
        }
    }
}

extension Verdict {
    /// `held: a line with marks in sort: longest ping 3.10 ms`, or the same with `FAILED`.
    var hostileLine: String { "\(passed ? "held" : "FAILED"): \(target): \(measured)" }
}
