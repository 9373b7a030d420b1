import EventLoop

/// No line of a megabyte delays other clients, whatever it holds.
struct LineGate {
    /// What another client's ping may wait: a turn of 10 ms, and what the machine adds.
    private static let pingNanosecondsMax: Int64 = 100_000_000
    /// What the daemon itself counts as too long for a turn; a name of its histogram.
    private static let turnMillisecondsMax = "10"
    private static let turnNanosecondsMax: Int64 = 10_000_000
    private static let answerNanosecondsMax: Int64 = 10_000_000_000
    /// A ping that waits longer needs no further attempt.
    private static let hopelessNanoseconds: Int64 = 1_000_000_000
    /// A turn that was long because of other load is short in another attempt.
    private static let attemptsMax = 5
    private static let pingPause = Duration.milliseconds(2)

    /// What one line did.
    private struct Outcome {
        var longestPing: Int64 = 0
        /// Turns over the maximum; nil when the daemon did not tell.
        var longTurns: Int? = 0
        var isAnswered = true
        var text = ""

        var isHopeless: Bool { !isAnswered || longestPing >= LineGate.hopelessNanoseconds }
        var hasPassed: Bool { isAnswered && longestPing <= LineGate.pingNanosecondsMax && longTurns == 0 }
    }

    private let daemon: HostileDaemon
    private let stage: HostileStage

    init(_ stage: HostileStage) throws(BenchmarkError) {
        self.stage = stage
        daemon = try stage.daemon()
    }

    func run() throws(BenchmarkError) -> [Verdict] {
        var verdicts: [Verdict] = []
        for position in HostilePosition.all {
            var outcomes: [Outcome] = []
            for text in HostileText.chosen(stage.options) {
                var outcome = try attempt(position.line(text))
                outcome.text = text.name
                outcomes.append(outcome)
            }
            verdicts.append(Self.verdict(position, outcomes))
            stage.say("lines: \(verdicts.count) of \(HostilePosition.all.count) positions")
        }
        return verdicts
    }

    /// The best of a few attempts.
    private func attempt(_ line: [UInt8]) throws(BenchmarkError) -> Outcome {
        var best = try send(line)
        var attempts = 1
        while !best.hasPassed, !best.isHopeless, attempts < Self.attemptsMax {
            let again = try send(line)
            attempts += 1
            if again.hasPassed || again.longestPing < best.longestPing { best = again }
        }
        return best
    }

    private func send(_ line: [UInt8]) throws(BenchmarkError) -> Outcome {
        let before = daemon.turns(over: Self.turnMillisecondsMax)
        let workBefore = try daemon.process.figures.processorTime()
        let probe = try PingProbe(daemon.socketPath, pause: Self.pingPause)
        let talk = try daemon.talk()
        var outcome = Outcome()
        outcome.isAnswered = serve(line, talk, probe)
        let window = probe.look()
        outcome.longestPing = window.longest
        if outcome.isHopeless || window.isBroken || !daemon.process.isRunning {
            outcome.isAnswered = outcome.isAnswered && !window.isBroken && daemon.process.isRunning
            try daemon.restart()
            probe.stop()
            return outcome
        }
        probe.stop()
        let work = try daemon.process.figures.processorTime() - workBefore
        let after = daemon.turns(over: Self.turnMillisecondsMax)
        outcome.longTurns = before.flatMap { before in after.map { $0 - before } }
        // Who worked for less in all waited for a processor.
        if outcome.longTurns != nil, work <= Self.turnNanosecondsMax { outcome.longTurns = 0 }
        return outcome
    }

    /// Whether the line, and what its sender asked behind it, was answered; false as soon as it is hopeless.
    private func serve(_ line: [UInt8], _ talk: Dialogue, _ probe: PingProbe) -> Bool {
        let deadline = SystemCall.now + Self.answerNanosecondsMax
        let mark = #""id":"after""#
        let after = "\n{\"jsonrpc\":\"2.0\",\(mark),\"method\":\"server/ping\"}\n"
        guard talk.send(line + Array(after.utf8), until: deadline) else { return false }
        while SystemCall.now < deadline, probe.waiting < Self.hopelessNanoseconds, !talk.isClosed {
            if talk.line(with: mark, until: SystemCall.now + 20_000_000) != nil { return true }
        }
        return false
    }

    private static func verdict(_ position: HostilePosition, _ outcomes: [Outcome]) -> Verdict {
        let failed = outcomes.filter { !$0.hasPassed }
        let longest = outcomes.max { $0.longestPing < $1.longestPing }
        let ping =
            longest.map { "longest ping \(Unit.milliseconds.text(Double($0.longestPing))) ms (\($0.text))" } ?? ""
        let turns = outcomes.map { $0.longTurns ?? 0 }.max() ?? 0
        var measured = "\(ping), turns over \(turnMillisecondsMax) ms: \(turns) at most"
        if !failed.isEmpty { measured += "; failed with " + failed.map(\.text).joined(separator: ", ") }
        return Verdict(
            "a line of 1 MiB with hostile text as \(position.name)",
            measured: measured,
            passed: failed.isEmpty
        )
    }
}
