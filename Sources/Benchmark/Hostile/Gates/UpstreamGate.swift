import EventLoop

/// No answer of a source holds up other clients, nor the answers of other sources once no client waits for it.
enum UpstreamGate {
    private static let pingNanosecondsMax: Int64 = 100_000_000
    private static let goodSearchMax: Int64 = 1_000_000_000
    private static let answerMax: Int64 = 10_000_000_000
    /// How long decoding some megabytes may take, also on a busy machine.
    private static let decodingMax: Int64 = 2_000_000_000
    /// How long after the cancellations the daemon is watched, and what share of it may be work.
    private static let watching = Duration.milliseconds(400)
    private static let busyShareMax = 0.5
    /// How long the hostile answers may arrive and be decoded before they are cancelled.
    private static let pressing = Duration.milliseconds(300)
    private static let pingPause = Duration.milliseconds(2)
    /// More than there are threads that decode.
    private static let searches = 4
    private static let attemptsMax = 3

    private struct Outcome {
        var longestPing: Int64 = 0
        var goodTook: Int64?
        /// Of the time after the cancellations, in processors.
        var busyShare = 0.0
        var cancelled = 0
        var answered = 0
        var answerTook: Int64 = 0
        var isAlive = true

        var hasPassed: Bool {
            isAlive && longestPing <= pingNanosecondsMax && (goodTook ?? .max) <= goodSearchMax
                && cancelled == searches && busyShare <= busyShareMax && answered == 2 && answerTook <= decodingMax
        }

        /// Too bad to be caused by other load.
        var isHopeless: Bool { !isAlive || answered < 2 || answerTook > 2 * decodingMax }
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let upstream = try HostileUpstream()
        let bases = ["kakao": "http://127.0.0.1:\(upstream.port)"]
        var verdicts: [Verdict] = []
        for (index, answer) in HostileAnswer.all.enumerated() where stage.options.isLong || !answer.isForLongRuns {
            stage.say("upstream: \(answer.name)")
            var outcome = Outcome()
            // Other load does not disturb every attempt.
            for _ in 0..<attemptsMax where !outcome.hasPassed {
                let daemon = try stage.daemon(limits: Warming.limits, bases: bases)
                outcome = try attempt(index, daemon)
                daemon.kill()
                if outcome.isHopeless { break }
            }
            verdicts.append(verdict(answer, outcome))
        }
        return verdicts
    }

    private static func attempt(_ index: Int, _ daemon: HostileDaemon) throws(BenchmarkError) -> Outcome {
        let probe = try PingProbe(daemon.socketPath, pause: pingPause)
        let talk = try daemon.talk()
        var outcome = Outcome()
        let begin = SystemCall.now
        for number in 1...searches { ask(index, number, talk) }
        SystemCall.pause(pressing)
        for number in 1...searches { _ = talk.send(Wire.cancel(number), until: begin + answerMax) }
        // So many hits that the same threads have to read them.
        outcome.goodTook = goodSearch(daemon, NewSearches.query(index))
        outcome.cancelled = answers(searches, talk, until: begin + answerMax)
        outcome.busyShare = try busyShare(daemon)
        // Again, and to the end.
        let again = SystemCall.now
        for number in 1...2 { ask(index, searches + number, talk) }
        outcome.answered = answers(2, talk, until: again + answerMax)
        outcome.answerTook = SystemCall.now - again
        outcome.longestPing = probe.look().longest
        outcome.isAlive = daemon.process.isRunning
        if probe.waiting > pingNanosecondsMax { daemon.kill() }
        probe.stop()
        return outcome
    }

    private static func busyShare(_ daemon: HostileDaemon) throws(BenchmarkError) -> Double {
        let before = (now: SystemCall.now, work: try daemon.process.figures.processorTime())
        SystemCall.pause(watching)
        let work = try daemon.process.figures.processorTime() - before.work
        return Double(work) / Double(SystemCall.now - before.now)
    }

    private static func ask(_ index: Int, _ number: Int, _ talk: Dialogue) {
        let search = Wire.search("\(HostileAnswer.query(index)) \(number)", "kakao.blog", #","limit":50"#)
        _ = talk.send(Wire.request(number, "search", search), until: SystemCall.now + answerMax)
    }

    private static func answers(_ count: Int, _ talk: Dialogue, until deadline: Int64) -> Int {
        (0..<count).prefix { _ in talk.line(until: deadline) != nil }.count
    }

    /// How long another source's search took; nil when it was not answered well.
    private static func goodSearch(_ daemon: HostileDaemon, _ query: String) -> Int64? {
        guard let talk = try? daemon.talk() else { return nil }
        let begin = SystemCall.now
        let search = Wire.search(query, "naver.blog", #","limit":100"#)
        guard Wire.isResult(talk.answer(to: Wire.request(1, "search", search), within: answerMax)) else { return nil }
        return SystemCall.now - begin
    }

    private static func verdict(_ answer: HostileAnswer, _ outcome: Outcome) -> Verdict {
        let good = outcome.goodTook.map { "\(Unit.milliseconds.text(Double($0))) ms" } ?? "never"
        return Verdict(
            "\(answer.name) harms no other client",
            measured: "longest ping \(Unit.milliseconds.text(Double(outcome.longestPing))) ms; when cancelled, another "
                + "source answers after \(good), \(outcome.cancelled) of \(searches) cancellations are answered, "
                + "then \(Numbers.decimal(100 * outcome.busyShare)) % of a processor is at work; else "
                + "\(outcome.answered) of 2 are answered after \(Unit.milliseconds.text(Double(outcome.answerTook))) ms",
            passed: outcome.hasPassed
        )
    }
}
