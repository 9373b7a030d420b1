import EventLoop

/// Whatever clients do, memory stays within the cache and 64 MiB, and is returned afterwards.
enum MemoryGate {
    /// Resident, beyond the configured cache.
    private static let beyondCacheBytesMax = 64 << 20
    /// What may remain after the attackers have gone.
    private static let leftBytesMax = 16 << 20
    /// Calls to a source that hangs time out after 10 s, also without waiters.
    private static let returnNanosecondsMax: Int64 = 15_000_000_000
    private static let pingP99Max: Int64 = 50_000_000
    private static let pingLongestMax: Int64 = 1_000_000_000
    private static let pingPause = Duration.milliseconds(2)

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        var verdicts: [Verdict] = []
        for attack in MemoryAttack.all(stage.options) {
            stage.say("memory: \(attack.name)")
            verdicts += try attempt(attack, stage)
        }
        return verdicts
    }

    private static func attempt(
        _ attack: MemoryAttack,
        _ stage: HostileStage
    ) throws(BenchmarkError) -> [Verdict] {
        try stage.sandbox.change(#"{"faults":[]}"#)
        let daemon = try stage.daemon(limits: Warming.limits)
        try Warming.fill(daemon)
        try stage.sandbox.change(#"{"faults":[{"source":"kakao.web","name":"hang"}]}"#)
        let start = try daemon.residentBytes()
        let probe = try PingProbe(daemon.socketPath, pause: pingPause)
        let crowd = Crowd(daemon.socketPath)
        attack.join(crowd)
        let seconds: Int64 = stage.options.isLong ? 10 : 2
        crowd.drive(until: SystemCall.now + seconds * 1_000_000_000) { daemon.process.isRunning }
        let window = probe.look()
        guard daemon.process.isRunning else {
            probe.stop()
            return [Verdict("\(attack.name): the daemon lives", measured: "it ended", passed: false)]
        }
        crowd.leaveAll()
        let (left, waited) = try settle(daemon, start)
        // Only what a daemon that hangs would keep it from.
        let peak = try daemon.peakResidentBytes()
        if probe.waiting > pingLongestMax { daemon.kill() }
        probe.stop()
        return self.verdicts(attack, window, start: start, peak: peak, left: left, waited: waited)
    }

    /// The resident memory when it is near its start again, or at the timeout.
    private static func settle(
        _ daemon: HostileDaemon,
        _ start: Int
    ) throws(BenchmarkError) -> (bytes: Int, waited: Int64) {
        let begin = SystemCall.now
        while true {
            let bytes = try daemon.residentBytes()
            let waited = SystemCall.now - begin
            if bytes <= start + leftBytesMax || waited > returnNanosecondsMax { return (bytes, waited) }
            SystemCall.pause(.milliseconds(20))
        }
    }

    private static func verdicts(
        _ attack: MemoryAttack,
        _ window: PingProbe.Window,
        start: Int,
        peak: Int,
        left: Int,
        waited: Int64
    ) -> [Verdict] {
        let cache = HostileDaemon.cacheBytes
        let p99 = Unit.milliseconds.text(Double(window.p99))
        let longest = Unit.milliseconds.text(Double(window.longest))
        return [
            Verdict(
                "\(attack.name): at most 64 MiB resident beyond a cache of \(mebibytes(cache)) MiB",
                measured: "\(mebibytes(peak)) MiB in all at the peak, \(mebibytes(start)) before",
                passed: peak <= cache + beyondCacheBytesMax
            ),
            Verdict(
                "\(attack.name): within \(mebibytes(leftBytesMax)) MiB of its start 15 s after they have gone",
                measured: "\(mebibytes(left)) MiB after \(Unit.milliseconds.text(Double(waited))) ms",
                passed: left <= start + leftBytesMax
            ),
            Verdict(
                "\(attack.name): another's pings within 50 ms (p99) and 1 s (all)",
                measured: "p99 \(p99) ms, longest \(longest) ms, of \(window.latencies.count)",
                passed: !window.isBroken && window.p99 <= pingP99Max && window.longest <= pingLongestMax
            ),
        ]
    }

    private static func mebibytes(_ bytes: Int) -> String { Unit.mebibytes.text(Double(bytes)) }
}
