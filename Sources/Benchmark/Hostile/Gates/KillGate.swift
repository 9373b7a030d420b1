import EventLoop
import JSON

/// However often the daemon is killed, a quota is never overspent, and hardly any units are lost.
enum KillGate {
    private static let source = "kakao.blog"
    private static let quotaName = "kakao-blog-day"
    /// How many units a daemon that is killed at work may have leased.
    private static let lostPerKillMax = 16
    private static let amplePerDay = 1_000_000_000
    private static let tightPerDayMax = 1_000
    private static let answerNanosecondsMax: Int64 = 5_000_000_000
    private static let progressEvery = 1_000
    private static let idleStep = Duration.milliseconds(4)
    private static let idleSteps = 5

    /// The result of a series of kills.
    struct Series {
        var kills = 0
        var calls = 0
        var used = 0
        /// Searches that got an answer, and among them those that were refused for the quota.
        var answers = 0
        var exhausted = 0
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let kills = stage.options.kills
        let idle = try series(max(1, kills / 2), perDay: tightPerDayMax, stage) { _ in 0 }
        let ample = try series(max(1, kills / 4), perDay: amplePerDay, stage) { 1 + $0 % 3 }
        let tight = try series(max(1, kills - kills / 2 - kills / 4), perDay: tightPerDay(kills), stage) { 1 + $0 % 3 }
        return verdicts(idle, ample, tight, tightPerDay(kills))
    }

    /// Low enough to be used up early, so that the remaining kills try to overspend it.
    private static func tightPerDay(_ kills: Int) -> Int { max(4, min(tightPerDayMax, kills)) }

    /// Starts, searches and kills repeatedly on one state; `searches` tells how many searches each life makes.
    private static func series(
        _ kills: Int,
        perDay: Int,
        _ stage: HostileStage,
        searches: (Int) -> Int
    ) throws(BenchmarkError) -> Series {
        let limits = [
            source: ["perSecond": 10_000, "concurrency": 64, "perDay": .init(integerLiteral: perDay)] as JSONValue
        ]
        let daemon = try stage.daemon(limits: limits)
        let before = try stage.sandbox.requests()
        var series = Series()
        for life in 0..<kills {
            try live(daemon, life: life, searches: searches(life), &series)
            daemon.kill()
            series.kills += 1
            try daemon.start()
            if series.kills.isMultiple(of: progressEvery) { stage.say("kills: \(series.kills) of \(kills)") }
        }
        // What is used is known for sure once a call has been paid for.
        _ = daemon.ask("search", Wire.search("마지막", source, #","limit":1"#))
        series.calls = try stage.sandbox.requests() - before
        series.used = try used(daemon)
        return series
    }

    /// Every second life is killed while its last search is on its way.
    private static func live(
        _ daemon: HostileDaemon,
        life: Int,
        searches: Int,
        _ series: inout Series
    ) throws(BenchmarkError) {
        if searches == 0 {
            // Some are killed while they start, others a little later.
            SystemCall.pause(idleStep * (life % idleSteps))
            return
        }
        let talk = try daemon.talk()
        let deadline = SystemCall.now + answerNanosecondsMax
        for number in 1...searches {
            let search = Wire.search("목숨 \(life) \(number)", source, #","limit":1"#)
            guard talk.send(Wire.request(number, "search", search), until: deadline) else { return }
            if number == searches, life.isMultiple(of: 2) { return }
            guard let line = talk.line(until: deadline) else {
                throw daemon.process.failure("did not answer a search between two kills")
            }
            series.answers += 1
            if Wire.errorKind(line) == "quotaExhausted" { series.exhausted += 1 }
        }
    }

    private static func used(_ daemon: HostileDaemon) throws(BenchmarkError) -> Int {
        var used: Int?
        daemon.ask("source/list")?["sources"]?.forEachElement { entry in
            guard entry["source"]?.string == source else { return }
            entry["quota"]?.forEachElement { if $0["name"]?.string == quotaName { used = $0["used"]?.int } }
        }
        guard let used else { throw daemon.process.failure("does not tell what of \(quotaName) is used") }
        return used
    }

    static func verdicts(_ idle: Series, _ ample: Series, _ tight: Series, _ limit: Int) -> [Verdict] {
        let lost = ample.used - ample.calls
        let perKill = Numbers.decimal(Double(lost) / Double(ample.kills), places: 2)
        return [
            Verdict(
                "\(idle.kills) kills of a daemon without requests cost nothing",
                measured: "\(idle.used) units of \(tightPerDayMax) are gone, with the \(idle.calls) calls that asked",
                passed: idle.used == 1 && idle.calls == 1
            ),
            Verdict(
                "\(ample.kills) kills between searches cost at most \(lostPerKillMax) units each",
                measured: "\(ample.calls) calls, \(ample.used) units used, \(perKill) lost a kill",
                passed: lost >= 0 && lost <= lostPerKillMax * ample.kills && ample.calls > 0
            ),
            Verdict(
                "\(tight.kills) kills around a quota of \(limit) a day: never more calls than that",
                measured: "\(tight.calls) calls, \(tight.used) units used; "
                    + "\(tight.exhausted) of \(tight.answers) answers said that it was used up",
                passed: tight.calls <= limit && tight.calls > 0
            ),
        ]
    }
}
