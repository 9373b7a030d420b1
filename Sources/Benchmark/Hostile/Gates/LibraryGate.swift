import EventLoop
import JSON

/// However often the daemon is killed while clients change a library: what it answered is there, nothing is half there,
/// and who follows the changes sees each once.
enum LibraryGate {
    private static let clients = 8
    private static let followers = 2
    private static let roundsMax = 3.0
    private static let answerNanosecondsMax: Int64 = 5_000_000_000
    private static let progressEvery = 100
    /// One kill in so many of those that the quotas are tried with.
    private static let killsPart = 10
    private static let killsMin = 10

    /// The result of a series of kills.
    struct Series {
        var kills = 0
        var answered = 0
        /// Changes that were under way at a kill, and those of them that had been made.
        var open = 0
        var made = 0
        /// What must not be, the first of each kill.
        var losses: [String] = []
        var followers = Array(repeating: LibraryFollower(), count: LibraryGate.followers)
        var revision = 0
        fileprivate var items = Array(repeating: LibraryItems(), count: LibraryGate.clients)
        fileprivate var pending = [LibraryChange?](repeating: nil, count: LibraryGate.clients)
        fileprivate var numbers: SeededNumbers
        fileprivate var number = 0
        /// How long the latest round took to be answered whole; a kill within that time finds changes under way.
        fileprivate var roundNanoseconds: Int64 = 0

        init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }
    }

    static func run(_ stage: HostileStage) throws(BenchmarkError) -> [Verdict] {
        let kills = max(killsMin, stage.options.kills / killsPart)
        let seed = UInt64.random(in: .min ... .max)
        stage.say("library: seed \(seed)")
        var series = Series(seed: seed)
        let daemon = try stage.daemon()
        for _ in 0..<kills {
            try live(daemon, &series)
            try daemon.start()
            series.kills += 1
            try look(daemon, &series)
            if series.kills.isMultiple(of: progressEvery) { stage.say("library: \(series.kills) of \(kills) kills") }
        }
        return verdicts(series)
    }

    /// Changes come from all clients at once, and during the last of them the daemon is killed.
    private static func live(_ daemon: HostileDaemon, _ series: inout Series) throws(BenchmarkError) {
        var talks: [Dialogue] = []
        for _ in 0..<clients { talks.append(try daemon.talk()) }
        let following = try follow(daemon, &series)
        for _ in 0...Int(series.numbers.unit() * roundsMax) {
            let start = SystemCall.now
            send(to: talks, &series)
            try take(from: talks, by: SystemCall.now + answerNanosecondsMax, &series)
            if series.pending.contains(where: { $0 != nil }) {
                throw daemon.process.failure("did not answer a change of the library between two kills")
            }
            series.roundNanoseconds = SystemCall.now - start
            hear(following, &series)
        }
        send(to: talks, &series)
        SystemCall.pause(.nanoseconds(Int64(series.numbers.unit() * Double(series.roundNanoseconds))))
        daemon.kill()
        // What it has answered is on its way still.
        try take(from: talks, by: SystemCall.now + answerNanosecondsMax, &series)
        hear(following, &series)
    }

    private static func send(to talks: [Dialogue], _ series: inout Series) {
        for (client, talk) in talks.enumerated() {
            series.number += 1
            let change = LibraryChange.random(
                of: client,
                series.number,
                among: series.items[client],
                &series.numbers
            )
            series.pending[client] = change
            _ = talk.send(change.line(id: series.number), until: SystemCall.now + answerNanosecondsMax)
        }
    }

    /// Takes in the answers; a change without one stays pending.
    private static func take(
        from talks: [Dialogue],
        by deadline: Int64,
        _ series: inout Series
    ) throws(BenchmarkError) {
        for (client, talk) in talks.enumerated() {
            guard let change = series.pending[client], let line = talk.line(until: deadline) else { continue }
            guard let revision = Wire.result(line)?["revision"]?.int else {
                throw BenchmarkError(
                    .answer,
                    "a change was refused: \(String(decoding: line.prefix(400), as: UTF8.self))"
                )
            }
            series.answered += 1
            series.revision = max(series.revision, revision)
            series.items[client] = series.items[client].after(change)
            series.pending[client] = nil
        }
    }

    // MARK: Followers

    private static func follow(_ daemon: HostileDaemon, _ series: inout Series) throws(BenchmarkError) -> [Dialogue] {
        var talks: [Dialogue] = []
        for index in series.followers.indices {
            let talk = try daemon.talk()
            let request = Wire.request(1, "library/watch", #"{"since":\#(series.followers[index].revision)}"#)
            guard let answer = Wire.result(talk.answer(to: request, within: answerNanosecondsMax)) else {
                throw daemon.process.failure("did not answer a follower")
            }
            series.followers[index].began(answer)
            talks.append(talk)
        }
        return talks
    }

    /// Takes in what has come by now.
    private static func hear(_ talks: [Dialogue], _ series: inout Series) {
        for (index, talk) in talks.enumerated() {
            while let line = talk.line(until: SystemCall.now + 1_000_000) {
                guard let notice = (try? JSONDocument(line))?.root["params"] else { continue }
                series.followers[index].told(notice)
            }
        }
    }

    // MARK: Looking

    /// Compares the library with what clients were answered, and with what followers have seen.
    private static func look(_ daemon: HostileDaemon, _ series: inout Series) throws(BenchmarkError) {
        guard let list = daemon.ask("library/list", #"{"limit":1000}"#), let revision = list["revision"]?.int,
            list["next"]?.kind == .null
        else { throw daemon.process.failure("does not list the library") }
        let found = LibraryItems(list["items"])
        if revision < series.revision { series.losses.append("revision \(revision) after \(series.revision)") }
        series.revision = max(series.revision, revision)
        for client in 0..<clients {
            let own = found.filter { LibraryChange.client(of: $0.key) == client }
            let answered = series.items[client]
            if let change = series.pending[client] {
                series.open += 1
                if own == answered.after(change) {
                    series.made += own == answered ? 0 : 1
                } else if own != answered {
                    series.losses.append("client \(client) finds neither what was before nor what is after \(change)")
                }
            } else if own != answered {
                series.losses.append("client \(client) finds something else than it was answered")
            }
            (series.items[client], series.pending[client]) = (own, nil)
        }
        _ = try follow(daemon, &series)
        for follower in series.followers where follower.items != found {
            series.losses.append("a follower that resumed does not know what is there")
        }
    }

    static func verdicts(_ series: Series) -> [Verdict] {
        let problems = series.followers.flatMap(\.problems)
        let seen = series.followers.map { "\($0.changes)" }.joined(separator: " and ")
        return [
            Verdict(
                "\(series.kills) kills while \(clients) clients change a library: what was answered is there, nothing half",
                measured: series.losses.first.map { "\(series.losses.count) times not, the first: \($0)" }
                    ?? "\(series.answered) changes answered; of \(series.open) under way at a kill, \(series.made) were made",
                passed: series.losses.isEmpty && series.answered > 0 && series.open > 0
            ),
            Verdict(
                "\(series.kills) kills: followers see revisions rise and each change once",
                measured: problems.first.map { "\(problems.count) times not, the first: \($0)" }
                    ?? "revision \(series.revision); \(seen) notices, the rest on resuming",
                passed: problems.isEmpty
            ),
        ]
    }
}
