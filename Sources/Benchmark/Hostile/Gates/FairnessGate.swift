import EventLoop
import JSON

/// A patient client gets its share of a source's rate, however many others connect and under whatever names.
enum FairnessGate {
    private static let source = "kakao.blog"
    private static let perSecond = 200
    private static let strangersAtOnce = 32
    private static let strangersPerConnection = 3
    /// Of an equal part: what begins and ends in the middle of a wait is lost.
    private static let partMin = 0.8
    private static let deadlineNanoseconds: Int64 = 120_000_000_000
    private static let pause = Duration.milliseconds(1)

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let strangers = stage.options.connections * strangersPerConnection
        return [
            try compete(
                "\(strangers) short-lived clients of other names, \(strangersAtOnce) at a time",
                strangers,
                stage
            ) { Strangers($0, slots: strangersAtOnce) },
            try compete(
                "one client with \(strangersAtOnce) searches waiting that renames itself at each",
                strangers,
                stage
            ) { Renamer($0, waiting: strangersAtOnce) },
        ]
    }

    private static func compete(
        _ name: String,
        _ searches: Int,
        _ stage: HostileStage,
        _ rival: (HostileDaemon) -> any Rival
    ) throws(BenchmarkError) -> Verdict {
        stage.say("fairness: \(name)")
        let limits = [source: ["perSecond": .init(integerLiteral: perSecond), "concurrency": 8] as JSONValue]
        let daemon = try stage.daemon(limits: limits)
        let rival = rival(daemon)
        let patient = try PatientClient(daemon)
        // The patient one comes when all of the others wait already.
        while rival.answered < strangersAtOnce { try step(rival, nil, daemon) }
        let before = (calls: try stage.sandbox.requests(), answered: rival.answered)
        let deadline = SystemCall.now + deadlineNanoseconds
        while rival.answered < searches, SystemCall.now < deadline { try step(rival, patient, daemon) }
        let calls = try stage.sandbox.requests() - before.calls
        let share = Double(patient.served) / Double(max(calls, 1))
        let equal = 1 / Double(1 + strangersAtOnce)
        let longest = Unit.milliseconds.text(Double(patient.longestWait))
        return Verdict(
            "beside \(name), a patient client gets \(partMin) of an equal part of the calls",
            measured:
                "\(patient.served) of \(calls) calls, \(Numbers.decimal(share / equal, places: 2)) of an equal part; "
                + "it waited \(longest) ms at most, while \(patient.overtakenMost) others were answered; "
                + "\(patient.failed) of its searches failed",
            passed: calls > strangersAtOnce && share >= equal * partMin && patient.failed == 0
        )
    }

    private static func step(
        _ rival: any Rival,
        _ patient: PatientClient?,
        _ daemon: HostileDaemon
    ) throws(BenchmarkError) {
        guard daemon.process.isRunning else { throw daemon.process.failure("ended in the middle of a competition") }
        try rival.step()
        patient?.step(othersAnswered: rival.answered)
        SystemCall.pause(pause)
    }

    static func search(_ query: String) -> String {
        Wire.search(query, source, #","limit":1,"timeout":60000"#)
    }
}
