import EventLoop

/// Measures the processor time of searches that are not cached; their calls go to the mock server.
struct UncachedPart {
    private static let source = "kakao.blog"
    private static let pageSize = 50
    /// The number of pages that fill the caches of 64 MiB in memory and 256 MiB on disk.
    private static let fillingCount = 9_000
    private static let searchesPerSecondMax = 10_000.0
    private static let hits = 10
    /// The minimum length of an answer, which is exceeded by any answer with all hits.
    private static let answerBytesMin = 4_096
    private static let againstRatioMax = 1.1

    private let servers: [Server]
    private let sandbox: Sandbox
    /// The number of each server's next search.
    private var next: [Int]

    static func run(_ options: Options, _ environment: BenchmarkEnvironment, progress: (String) -> Void) throws
        -> [Section]
    {
        var servers = [try environment.searchd()]
        if let against = options.against { servers.append(try environment.searchd(program: against)) }
        var part = UncachedPart(servers: servers, sandbox: environment.sandbox, next: servers.map { _ in 0 })
        for index in servers.indices {
            progress("filling the caches of \(servers[index].name)")
            while part.next[index] < fillingCount { _ = try part.measure(index, 16, .milliseconds(500)) }
        }
        var section = Section(
            title: "Searches that are not cached",
            notes: [
                "new searches of \(source), each with one call for a page of \(pageSize) hits; memory and disk cache are full",
                options.roundsNote, environment.processors.description,
            ]
        )
        let contest = Contest(servers: servers, connections: [1, 16], figure: \.timePerAnswer) { _ in
            (
                "processor time of a miss: at most \(Unit.ratio.text(againstRatioMax)) of the other program's", nil,
                againstRatioMax
            )
        }
        try contest.run(&section, rounds: options.rounds, progress: progress) { index, connections in
            try part.measure(index, connections, .seconds(options.seconds))
        }
        return [section]
    }

    /// Measures one server with new searches; throws unless each of them made one call.
    private mutating func measure(_ index: Int, _ connections: Int, _ measured: Duration) throws -> LoadSample {
        let seconds = Double(measured.saturatingNanoseconds) / 1e9
        let wanted = Int(seconds * 1.2 * Self.searchesPerSecondMax) + 2 * connections
        let searches = next[index]..<min(next[index] + wanted, Words.newSearches)
        let exhausted = BenchmarkError("there are not enough new searches", hint: "Use fewer --rounds or --seconds.")
        guard searches.count > connections else { throw exhausted }
        let load = try LoadGenerator(servers[index], Traffic(searches.map(Self.exchange)), connections: connections)
        let before = try sandbox.calls()
        let sample = try load.measure(measured)
        let calls = try sandbox.calls() - before
        guard load.traffic.count <= searches.count else { throw exhausted }
        guard calls == load.traffic.count else {
            throw servers[index].process.failure("made \(calls) calls for \(load.traffic.count) misses")
        }
        next[index] += load.traffic.count
        return sample
    }

    private static func exchange(_ number: Int) -> Exchange {
        let (query, page) = Words.newSearch(number)
        return Exchange(
            members: [
                #""query":"\#(query)""#, #""sources":["\#(source)"]"#, #""limit":\#(hits)"#,
                #""offset":\#(page * pageSize)"#,
            ],
            mark: Array(#""query":"\#(query)""#.utf8),
            length: answerBytesMin...Traffic.answerBytesMax
        )
    }
}
