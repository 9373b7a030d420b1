import EventLoop
import JSON

/// Saving, each change acknowledged when it is durable, beside a C loop that commits as many at a time.
enum LibrarySaving {
    private static let clients = 16
    private static let rateMin = 0.8
    private static let timeMax = 1.3
    /// More than can be saved in one measurement.
    private static let hitsPerSecond = 30_000.0

    private struct Round {
        let many: LoadSample
        /// Nanoseconds of the search after it, which finds all that was saved.
        let search: Int64
        let loopOfMany: SQLitePeer.Saves
        let one: LoadSample
        let loopOfOne: SQLitePeer.Saves

        /// Nanoseconds from a request of one client to its answer.
        var timeOfOne: Double { 1e9 / one.answersPerSecond }
    }

    static func run(_ options: Options, _ factory: PeerFactory) throws(BenchmarkError) -> Report.Section {
        var texts = LibraryTexts(seed: 2)
        let count = Int(hitsPerSecond * options.seconds) + 10_000
        var rounds: [Round] = []
        for round in 0..<options.rounds {
            let empty = try LibraryPeer(factory)
            try empty.save(texts.hits(1, "e\(round)-"))
            let file = try empty.copyOfFile("loop")
            let library = try LibraryPeer(factory)
            let many = try load(library, texts.hits(count, "a\(round)-"), clients, options)
            let search = try library.search()
            let loopOfMany = try loop(texts.hits(count, "b\(round)-"), clients, file, options, factory)
            let one = try load(library, texts.hits(count, "c\(round)-"), 1, options)
            // What waits for the index is not written beside the loop.
            _ = try library.search()
            let loopOfOne = try loop(texts.hits(count, "d\(round)-"), 1, file, options, factory)
            rounds.append(
                Round(many: many, search: search, loopOfMany: loopOfMany, one: one, loopOfOne: loopOfOne)
            )
        }
        return section(rounds)
    }

    private static func load(
        _ library: LibraryPeer,
        _ hits: [JSONValue],
        _ connections: Int,
        _ options: Options
    ) throws(BenchmarkError) -> LoadSample {
        let exchanges = hits.map { hit in
            let text = String(decoding: hit.bytes, as: UTF8.self)
            return Traffic.Exchange(
                head: SearchRequests.head,
                tail: Array(#","method":"library/save","params":{"hit":\#(text)}}"#.utf8) + [UInt8(ascii: "\n")],
                mark: Array(#""added":1"#.utf8),
                length: 1...AnswerFraming.answerBytesMax
            )
        }
        let traffic = Traffic(exchanges, framing: .jsonRPC)
        return try library.peer.load(traffic, Scenario(connections: connections), options)
    }

    private static func loop(
        _ hits: [JSONValue],
        _ batch: Int,
        _ file: String,
        _ options: Options,
        _ factory: PeerFactory
    ) throws(BenchmarkError) -> SQLitePeer.Saves {
        try SQLitePeer.save(hits, batch: batch, into: file, for: options.plan.measured, factory.processors)
    }

    private static func section(_ rounds: [Round]) -> Report.Section {
        let rates = Spread(
            ratiosOf: rounds.map(\.many.answersPerSecond),
            to: rounds.map(\.loopOfMany.perSecond)
        )
        let times = Spread(ratiosOf: rounds.map(\.timeOfOne), to: rounds.map(\.loopOfOne.commitNanoseconds))
        let searches = Spread(rounds.map { Double($0.search) })
        var table = ResultTable(["saving", "searchd", "C loop", "ratio", "searchd p99 ms"])
        table.add(
            "16 clients, items a second",
            [
                .rounds(Spread(rounds.map(\.many.answersPerSecond))),
                .rounds(Spread(rounds.map(\.loopOfMany.perSecond))),
                .rounds(rates, .ratio, withExtremes: true),
                .rounds(Spread(rounds.map { $0.many.percentile(0.99) }), .milliseconds),
            ]
        )
        table.add(
            "one client, µs an item",
            [
                .rounds(Spread(rounds.map(\.timeOfOne)), .microseconds),
                .rounds(Spread(rounds.map(\.loopOfOne.commitNanoseconds)), .microseconds),
                .rounds(times, .ratio, withExtremes: true),
                .rounds(Spread(rounds.map { $0.one.percentile(0.99) }), .milliseconds),
            ]
        )
        let wrong = rounds.reduce(0) { $0 + $1.many.wrong + $1.one.wrong }
        let first = rounds.lazy.flatMap { [$0.many.firstWrong, $0.one.firstWrong] }.compactMap(\.self).first ?? ""
        return Report.Section(
            name: "librarySaving",
            title: "Saving, each answered when it is durable",
            notes: [
                "the C loop writes the same rows and index entries, 16 or one a commit; searchd writes the entries "
                    + "when nobody saves or someone searches: the first search after the 16 clients took "
                    + (searches.map { Unit.milliseconds.text($0.median) } ?? "–") + " ms; \(rounds.count) rounds"
            ],
            tables: [table],
            verdicts: [
                Verdict(
                    "16 clients: at least 0.8 of the rate of a C loop that commits 16 at a time",
                    measured: Numbers.ratio(rates),
                    passed: (rates?.median ?? 0) >= rateMin
                ),
                Verdict(
                    "one client: at most 1.3 times one bare durable commit",
                    measured: Numbers.ratio(times),
                    passed: (times?.median ?? .infinity) <= timeMax
                ),
            ],
            failures: wrong == 0 ? [] : ["\(wrong) saves were answered wrongly, the first: \(first)"]
        )
    }
}
