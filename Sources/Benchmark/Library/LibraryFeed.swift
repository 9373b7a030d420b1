import EventLoop
import JSON

/// How soon a change reaches everyone who follows a library, beside an echo to as many connections.
enum LibraryFeed {
    private static let followers = 100
    private static let changesPerRound = 20
    private static let timeMax = 10.0
    private static let noticeNanosecondsMax: Int64 = 5_000_000_000

    static func run(_ options: Options, _ factory: PeerFactory) throws(BenchmarkError) -> Report.Section {
        let library = try LibraryPeer(factory)
        var texts = LibraryTexts(seed: 4)
        try library.save(texts.hits(1, "f"))
        let talk = try library.talk()
        // The one that each change replaces.
        _ = try library.ask(talk, "library/note", #"{"id":"bench.books:f0","note":{"text":"first"}}"#)
        var watching: [Dialogue] = []
        for _ in 0..<followers {
            let follower = try library.talk()
            _ = try library.ask(follower, "library/watch", #"{"since":2}"#)
            watching.append(follower)
        }
        let echo = try factory.start(.echo, answerBytes: 1_024)
        var echoing: [Dialogue] = []
        for _ in 0..<followers { echoing.append(try Dialogue(echo.socketPath)) }
        var rounds: [(change: Double, echo: Double)] = []
        for round in 0..<options.rounds {
            var times: (changes: [Double], echoes: [Double]) = ([], [])
            for number in 0..<changesPerRound {
                times.changes.append(try change("t\(round)-\(number)", library, talk, watching))
                times.echoes.append(try self.echo(echoing))
            }
            rounds.append((Spread(times.changes)?.median ?? 0, Spread(times.echoes)?.median ?? 0))
        }
        return section(rounds)
    }

    /// Nanoseconds from a request until the last follower has its notice.
    private static func change(
        _ tag: String,
        _ library: LibraryPeer,
        _ talk: Dialogue,
        _ watching: [Dialogue]
    ) throws(BenchmarkError) -> Double {
        let start = SystemCall.now
        try talk.send(Wire.request(1, "library/note", #"{"id":"bench.books:f0","note":{"id":"1","text":"\#(tag)"}}"#))
        for follower in watching {
            guard follower.line(with: tag, until: start + noticeNanosecondsMax) != nil else {
                throw library.peer.process.failure("did not tell a follower of a change")
            }
        }
        let end = SystemCall.now
        guard talk.line(until: end + noticeNanosecondsMax) != nil else {
            throw library.peer.process.failure("did not answer a change")
        }
        return Double(end - start)
    }

    /// Nanoseconds from the first request until the last answer.
    private static func echo(_ echoing: [Dialogue]) throws(BenchmarkError) -> Double {
        let start = SystemCall.now
        for talk in echoing { try talk.send([UInt8(ascii: "\n")]) }
        for talk in echoing { _ = try talk.frame(.line) }
        return Double(SystemCall.now - start)
    }

    private static func section(_ rounds: [(change: Double, echo: Double)]) -> Report.Section {
        let ratio = Spread(ratiosOf: rounds.map(\.change), to: rounds.map(\.echo))
        var table = ResultTable(["to 100 connections", "until the last, ms", "ratio"])
        table.add("an echo", [.rounds(Spread(rounds.map(\.echo)), .milliseconds)])
        table.add(
            "a change, durable",
            [.rounds(Spread(rounds.map(\.change)), .milliseconds), .rounds(ratio, .ratio, withExtremes: true)]
        )
        return Report.Section(
            name: "libraryFeed",
            title: "A change on its way to its followers",
            notes: ["medians of \(changesPerRound) changes in each of \(rounds.count) rounds"],
            tables: [table],
            verdicts: [
                Verdict(
                    "a change reaches the last of 100 followers within 10 times an echo to as many",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? .infinity) <= timeMax
                )
            ]
        )
    }
}
