/// No answer of a source holds up other clients, nor the answers of other sources once nobody wants it any more.
enum UpstreamGate {
    private static let pingNanosecondsMax: Int64 = 100_000_000
    private static let goodSearchMax: Int64 = 1_000_000_000
    private static let answerMax: Int64 = 10_000_000_000
    /// How long the hostile answers may arrive and be decoded before they are cancelled.
    private static let pressing = Duration.milliseconds(300)
    private static let pingPause = Duration.milliseconds(2)
    /// More than there are threads that decode.
    private static let searches = 4

    private struct Outcome {
        var longestPing: Int64 = 0
        var goodTook: Int64?
        var cancelled = 0
        var answered = 0
        var answerTook: Int64 = 0
        var isAlive = true
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let upstream = try HostileUpstream()
        let bases = ["kakao": "http://127.0.0.1:\(upstream.port)"]
        var verdicts: [Verdict] = []
        for (index, answer) in HostileAnswer.all.enumerated() {
            let daemon = try stage.daemon(limits: Warming.limits, bases: bases)
            let outcome = try attempt(index, daemon)
            verdicts.append(verdict(answer, outcome))
            stage.say("upstream: \(answer.name)")
            daemon.kill()
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
        outcome.goodTook = goodSearch(daemon, "좋은 \(index)")
        outcome.cancelled = answers(searches, talk, until: begin + answerMax)
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

    private static func ask(_ index: Int, _ number: Int, _ talk: LineTalk) {
        let search = Wire.search("\(HostileAnswer.query(index)) \(number)", "kakao.blog", #","limit":50"#)
        _ = talk.send(Wire.request(number, "search", search), until: SystemCall.now + answerMax)
    }

    private static func answers(_ count: Int, _ talk: LineTalk, until deadline: Int64) -> Int {
        (0..<count).prefix { _ in talk.line(until: deadline) != nil }.count
    }

    /// How long another source's search took; nil when it was not answered well.
    private static func goodSearch(_ daemon: HostileDaemon, _ query: String) -> Int64? {
        guard let talk = try? daemon.talk() else { return nil }
        let begin = SystemCall.now
        let search = Wire.search(query, "naver.blog", #","limit":10"#)
        guard talk.send(Wire.request(1, "search", search), until: begin + answerMax),
            let line = talk.line(until: begin + answerMax), Wire.isResult(line)
        else { return nil }
        return SystemCall.now - begin
    }

    private static func verdict(_ answer: HostileAnswer, _ outcome: Outcome) -> Verdict {
        let good = outcome.goodTook.map { "\(Numbers.milliseconds(Double($0))) ms" } ?? "never"
        let passed =
            outcome.isAlive && outcome.longestPing <= pingNanosecondsMax && (outcome.goodTook ?? .max) <= goodSearchMax
            && outcome.cancelled == searches && outcome.answered == 2
        return Verdict(
            "\(answer.name) harms nobody else",
            measured: "longest ping \(Numbers.milliseconds(Double(outcome.longestPing))) ms; when cancelled, another "
                + "source answers after \(good), \(outcome.cancelled) of \(searches) cancellations are answered; else "
                + "\(outcome.answered) of 2 are answered after \(Numbers.milliseconds(Double(outcome.answerTook))) ms",
            passed: passed
        )
    }
}
