import EventLoop
import JSON

/// What agents cost: calls of tools beside the searches that they are, and the way through `searchctl mcp` beside
/// socat.
enum AgentPart {
    private static let scenario = Scenario(connections: 16)
    private static let rateMin = 0.2
    private static let wayMax = 1.1
    private static let bytesMax = 4.0 * 1_048_576
    /// Requests and answers in one round of a way.
    private static let roundTrips = 2_000
    /// After so long it is at rest.
    private static let settling = Duration.seconds(1)

    /// What every request says of its client.
    private static let meta =
        #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
        + #""io.modelcontextprotocol/clientCapabilities":{}}"#

    private typealias Round = (searches: LoadSample, calls: LoadSample, lists: LoadSample)
    private typealias Ways = (socat: [Double], searchctl: [Double], residentBytes: Int)

    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd) else { return [] }
        progress("agents: filling the cache")
        let library = try LibraryPeer(factory)
        let (searches, _) = try SearchdPeer.traffic(library.peer)
        let calls = try traffic((0..<SearchRequests.count).map(call), library)
        let lists = try traffic([Self.lists], library)
        progress("agents: searches, the same as calls of a tool, and lists of tools, in turns")
        var rounds: [Round] = []
        for _ in 0..<options.rounds {
            rounds.append(
                (
                    try load(library, searches, options), try load(library, calls, options),
                    try load(library, lists, options)
                )
            )
        }
        progress("agents: searchctl mcp and socat in turns")
        return [section(rounds), section(try ways(options, factory, library))]
    }

    // MARK: Requests

    private static let lists = (method: "tools/list", params: "{\(meta)}", mark: "\"tools\":[")

    /// One of the searches, as an agent makes it.
    private static func call(_ index: Int) -> (method: String, params: String, mark: String) {
        let query = SearchRequests.query(index)
        let arguments = #"{"query":"\#(query)","sources":["kakao.video"],"limit":10,"maxAge":86400}"#
        return ("tools/call", #"{"name":"search","arguments":\#(arguments),\#(meta)}"#, #""query":"\#(query)""#)
    }

    /// Requests, and how long right answers are.
    private static func traffic(
        _ requests: [(method: String, params: String, mark: String)],
        _ library: LibraryPeer
    ) throws(BenchmarkError) -> Traffic {
        let talk = try library.talk()
        var exchanges: [Traffic.Exchange] = []
        for (method, params, mark) in requests {
            try talk.send(Wire.request(1, method, params))
            let answer = try talk.frame(.line)
            exchanges.append(
                Traffic.Exchange(
                    head: SearchRequests.head,
                    tail: Array(#","method":"\#(method)","params":\#(params)}"#.utf8) + [UInt8(ascii: "\n")],
                    mark: Array(mark.utf8),
                    // The id has more digits, and so may what is left of a quota.
                    length: answer.count - 64...answer.count + 64
                )
            )
        }
        return Traffic(exchanges, framing: .jsonRPC)
    }

    private static func load(
        _ library: LibraryPeer,
        _ traffic: Traffic,
        _ options: Options
    ) throws(BenchmarkError) -> LoadSample {
        var generator = try LoadGenerator(library.peer, traffic, scenario)
        return try generator.measure(warming: options.plan.warming, measured: options.plan.measured)
    }

    // MARK: The way there

    /// Nanoseconds of a round trip through each program, in turns.
    private static func ways(
        _ options: Options,
        _ factory: PeerFactory,
        _ library: LibraryPeer
    ) throws(BenchmarkError) -> Ways {
        let socket = library.peer.socketPath
        let searchctl = try PipedProgram(factory.programs.searchctl, ["--socket", socket, "mcp"])
        let socat = try PipedProgram("socat", ["-", "UNIX-CONNECT:\(socket)"])
        let (method, params, _) = call(0)
        let request = Wire.request(1, method, params)
        for program in [searchctl, socat] { try program.exchange(request, times: roundTrips / 10) }
        var times: Ways = ([], [], 0)
        for _ in 0..<max(options.rounds, 5) {
            times.socat.append(try socat.exchange(request, times: roundTrips))
            times.searchctl.append(try searchctl.exchange(request, times: roundTrips))
        }
        SystemCall.pause(settling)
        times.residentBytes = try searchctl.process.figures.residentBytes()
        return times
    }

    // MARK: The report

    private static func section(_ rounds: [Round]) -> Report.Section {
        let rate = Spread(
            ratiosOf: rounds.map(\.calls.answersPerSecond),
            to: rounds.map(\.searches.answersPerSecond)
        )
        var table = ResultTable(["16 connections", "answers/s", "p99 ms", "rate, ratio"])
        func cells(_ samples: [LoadSample]) -> [ResultTable.Cell] {
            [
                .rounds(Spread(samples.map(\.answersPerSecond))),
                .rounds(Spread(samples.map { $0.percentile(0.99) }), .milliseconds),
            ]
        }
        table.add("cached searches", cells(rounds.map(\.searches)))
        table.add("the same as tools/call", cells(rounds.map(\.calls)) + [.rounds(rate, .ratio, withExtremes: true)])
        table.add("tools/list", cells(rounds.map(\.lists)))
        let samples = rounds.flatMap { [$0.searches, $0.calls, $0.lists] }
        let wrong = samples.reduce(0) { $0 + $1.wrong }
        let first = samples.lazy.compactMap(\.firstWrong).first ?? ""
        return Report.Section(
            name: "agents",
            title: "Calls of tools",
            notes: ["\(SearchRequests.count) searches in rotation; medians of \(rounds.count) rounds"],
            tables: [table],
            verdicts: [
                Verdict(
                    "tools/call at least 0.2 of the rate of the same search",
                    measured: Numbers.ratio(rate),
                    passed: (rate?.median ?? 0) >= rateMin
                )
            ],
            failures: wrong == 0 ? [] : ["\(wrong) wrong answers, the first: \(first)"]
        )
    }

    private static func section(_ ways: Ways) -> Report.Section {
        let (socat, searchctl) = (Spread(ways.socat), Spread(ways.searchctl))
        let ratio = Spread(ratiosOf: ways.searchctl, to: ways.socat)
        var table = ResultTable(["a cached search, there and back", "milliseconds", "ratio", "memory MiB"])
        table.add("through socat", [.rounds(socat, .milliseconds, withExtremes: true)])
        table.add(
            "through searchctl mcp",
            [
                .rounds(searchctl, .milliseconds, withExtremes: true), .rounds(ratio, .ratio, withExtremes: true),
                .one(Double(ways.residentBytes), .mebibytes),
            ]
        )
        return Report.Section(
            name: "agentsWay",
            title: "searchctl mcp, \(roundTrips) round trips in each round",
            tables: [table],
            verdicts: [
                Verdict(
                    "a round trip within 1.1 times that through socat",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? .infinity) <= wayMax
                ),
                Verdict(
                    "at most 4 MiB resident at rest",
                    measured: Unit.mebibytes.text(Double(ways.residentBytes)),
                    passed: Double(ways.residentBytes) <= bytesMax
                ),
            ]
        )
    }
}
