import EventLoop
import JSON

/// What suggestions cost: beside cached searches and pings, over as many texts as a user may have.
enum TypingPart {
    private static let scenario = Scenario(connections: 16)
    private static let prefixes = 256
    private static let rateMin = 0.1
    private static let latencyMax = 10.0
    private static let bytesMax = 4.0 * 1_048_576
    private static let commandMax = 1.2
    private static let settling = Duration.milliseconds(500)

    /// A round of searches, and of suggestions in all ways of typing.
    private typealias Round = (searches: LoadSample, suggestions: LoadSample)

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd) else { return [] }
        progress("typing: \(options.suggestions) titles are saved")
        // Searches would be suggested, too: each has a daemon of its own.
        let (searching, library) = (try LibraryPeer(factory), try LibraryPeer(factory))
        let (searches, _) = try SearchdPeer.traffic(searching.peer)
        var texts = LibraryTexts(seed: 6)
        try library.save(texts.hits(options.suggestions, "t"))
        let memory = try memory(of: library)
        progress("typing: cached searches and suggestions in turns")
        let words = (0..<prefixes).map { _ in texts.word() }
        let ways = TypingWay.allCases
        let mixed = try traffic(words.enumerated().map { ways[$0 % ways.count].typed(of: $1) }, library)
        var rounds: [Round] = []
        for _ in 0..<options.rounds {
            let searched = try searching.peer.load(searches, scenario, options)
            rounds.append((searched, try library.peer.load(mixed, scenario, options)))
        }
        var single: [(TypingWay, LoadSample)] = []
        for way in ways {
            single.append((way, try library.peer.load(traffic(words.map(way.typed), library), scenario, options)))
        }
        progress("typing: searchctl suggest and ping, \(options.starts) times each")
        let commands = try commands(options, factory, library)
        return [section(rounds, single, options), section(memory, options), section(commands, options)]
    }

    // MARK: Measuring

    /// Resident bytes before the first suggestion, and with all that they need.
    private static func memory(of library: LibraryPeer) throws(BenchmarkError) -> (before: Int, after: Int) {
        SystemCall.pause(settling)
        let before = try library.peer.process.figures.residentBytes()
        _ = try library.ask(library.talk(), "search/suggest", #"{"prefix":"고"}"#)
        SystemCall.pause(settling)
        return (before, try library.peer.process.figures.residentBytes())
    }

    /// Requests for suggestions, and how long right answers are.
    private static func traffic(_ prefixes: [String], _ library: LibraryPeer) throws(BenchmarkError) -> Traffic {
        let talk = try library.talk()
        var exchanges: [Traffic.Exchange] = []
        for prefix in prefixes {
            let line = Wire.request(1, "search/suggest", #"{"prefix":"\#(prefix)"}"#)
            try talk.send(line)
            let answer = try talk.frame(.line)
            let tail = #","method":"search/suggest","params":{"prefix":"\#(prefix)"}}"# + "\n"
            exchanges.append(
                Traffic.Exchange(
                    head: SearchRequests.head,
                    tail: Array(tail.utf8),
                    mark: Array("\"suggestions\":[".utf8),
                    // The id has more digits.
                    length: answer.count...answer.count + 16
                )
            )
        }
        return Traffic(exchanges, framing: .jsonRPC)
    }

    /// Nanoseconds of `searchctl ping` and `searchctl suggest`, in turns.
    private static func commands(
        _ options: Options,
        _ factory: PeerFactory,
        _ library: LibraryPeer
    ) throws(BenchmarkError) -> (ping: [Double], suggest: [Double]) {
        func time(_ arguments: [String]) throws(BenchmarkError) -> Double {
            let socket = "SEARCHD_SOCKET=\(library.peer.socketPath)"
            let start = SystemCall.now
            let process = try ChildProcess(
                Command(program: factory.programs.searchctl, arguments: arguments, environment: [socket])
            )
            guard process.exitStatus() == 0 else { throw process.failure("found nothing with \(arguments)") }
            return Double(SystemCall.now - start)
        }
        var times: (ping: [Double], suggest: [Double]) = ([], [])
        for _ in 0..<options.starts {
            times.ping.append(try time(["ping"]))
            times.suggest.append(try time(["suggest", "ㄱ"]))
        }
        return times
    }

    // MARK: The report

    private static func section(
        _ rounds: [Round],
        _ single: [(TypingWay, LoadSample)],
        _ options: Options
    ) -> Report.Section {
        let rate = Spread(
            ratiosOf: rounds.map(\.suggestions.answersPerSecond),
            to: rounds.map(\.searches.answersPerSecond)
        )
        let latency = Spread(
            ratiosOf: rounds.map { $0.suggestions.percentile(0.99) },
            to: rounds.map { $0.searches.percentile(0.99) }
        )
        var table = ResultTable(["16 connections", "answers/s", "p99 ms", "rate, ratio", "p99, ratio"])
        func cells(_ samples: [LoadSample]) -> [ResultTable.Cell] {
            [
                .rounds(Spread(samples.map(\.answersPerSecond))),
                .rounds(Spread(samples.map { $0.percentile(0.99) }), .milliseconds),
            ]
        }
        table.add("cached searches", cells(rounds.map(\.searches)))
        table.add(
            "suggestions",
            cells(rounds.map(\.suggestions)) + [
                .rounds(rate, .ratio, withExtremes: true), .rounds(latency, .ratio, withExtremes: true),
            ]
        )
        for (way, sample) in single { table.add("… \(way.rawValue)", cells([sample])) }
        let samples = rounds.flatMap { [$0.searches, $0.suggestions] } + single.map(\.1)
        let wrong = samples.reduce(0) { $0 + $1.wrong }
        let first = samples.lazy.compactMap(\.firstWrong).first ?? ""
        return Report.Section(
            name: "typing",
            title: "Suggestions among \(options.suggestions) titles",
            notes: [
                "\(prefixes) prefixes in rotation, of each way of typing as many; medians of \(rounds.count) rounds"
            ],
            tables: [table],
            verdicts: [
                Verdict(
                    "at least 0.1 of the rate of cached searches",
                    measured: Numbers.ratio(rate),
                    passed: (rate?.median ?? 0) >= rateMin
                ),
                Verdict(
                    "p99 at most 10 times that of cached searches",
                    measured: Numbers.ratio(latency),
                    passed: (latency?.median ?? .infinity) <= latencyMax
                ),
            ],
            failures: wrong == 0 ? [] : ["\(wrong) wrong answers, the first: \(first)"]
        )
    }

    private static func section(_ memory: (before: Int, after: Int), _ options: Options) -> Report.Section {
        let bytes = Double(memory.after - memory.before) * 10_000 / Double(options.suggestions)
        var table = ResultTable(["memory MiB", "before", "with suggestions", "for 10,000 titles"])
        table.add(
            "searchd",
            [
                .one(Double(memory.before), .mebibytes), .one(Double(memory.after), .mebibytes),
                .one(bytes, .mebibytes),
            ]
        )
        return Report.Section(
            name: "typingMemory",
            title: "Memory of suggestions",
            tables: [table],
            verdicts: [
                Verdict(
                    "at most 4 MiB for 10,000 titles",
                    measured: Unit.mebibytes.text(bytes),
                    passed: bytes <= bytesMax
                )
            ]
        )
    }

    private static func section(_ times: (ping: [Double], suggest: [Double]), _ options: Options) -> Report.Section {
        let (ping, suggest) = (Spread(times.ping), Spread(times.suggest))
        let ratio = (suggest?.median ?? .infinity) / (ping?.median ?? 1)
        var table = ResultTable(["milliseconds", "median"])
        table.add("searchctl ping", [.rounds(ping, .milliseconds, withExtremes: true)])
        table.add("searchctl suggest", [.rounds(suggest, .milliseconds, withExtremes: true)])
        return Report.Section(
            name: "typingCommand",
            title: "searchctl suggest, \(options.starts) times",
            tables: [table],
            verdicts: [
                Verdict(
                    "searchctl suggest within 1.2 times searchctl ping",
                    measured: Unit.ratio.text(ratio),
                    passed: ratio <= commandMax
                )
            ]
        )
    }
}
