/// Many clients make the same new search at once: it may cost one upstream request, and no client may wait long.
enum BurstPart {
    private static let spreadNanosecondsMax = 20e6
    /// A thousand searches on a thousand connections, and on few connections with many requests each.
    private static let crowds = [Scenario(connections: 1_000), Scenario(connections: 40, depth: 25)]

    /// The result of one burst.
    struct Figures: Sendable {
        var upstreamRequests = 0
        var sample = BurstSample()
    }

    /// Nothing when searchd is not among the peers: the others have no upstream.
    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd), let sandbox = factory.sandbox else { return [] }
        let peer = try factory.start(.searchd)
        var figures: [(crowd: Scenario, rounds: [Figures])] = []
        for crowd in crowds {
            progress("burst: \(crowd.name)")
            var rounds: [Figures] = []
            for round in 0..<options.rounds {
                let query = "눈사람 \(crowd.connections) \(round)"
                rounds.append(try measure(query, crowd, peer, sandbox))
            }
            figures.append((crowd, rounds))
        }
        return [section(figures)]
    }

    private static func measure(
        _ query: String,
        _ crowd: Scenario,
        _ peer: Peer,
        _ sandbox: SandboxServer
    ) throws(BenchmarkError) -> Figures {
        var generator = try LoadGenerator(peer, traffic(query), crowd)
        var figures = Figures()
        let before = try sandbox.requests()
        figures.sample = try generator.burst()
        figures.upstreamRequests = try sandbox.requests() - before
        return figures
    }

    /// The same search repeatedly; the length of its answer is not known yet.
    private static func traffic(_ query: String) -> Traffic {
        let exchange = Traffic.Exchange(
            head: SearchRequests.head,
            tail: SearchRequests.tail(query: query),
            mark: Array(query.utf8),
            length: 1...AnswerFraming.answerBytesMax
        )
        return Traffic([exchange], framing: .jsonRPC)
    }

    private static func section(_ figures: [(crowd: Scenario, rounds: [Figures])]) -> Report.Section {
        var table = ResultTable([
            "identical new searches at once", "upstream requests", "first answer ms", "last answer ms",
            "first to last ms",
        ])
        var failures: [String] = []
        for (crowd, rounds) in figures {
            let times: [(BurstSample) -> Int64] = [\.first, \.last, \.spread]
            table.add(
                crowd.name,
                [.text(rounds.map { String($0.upstreamRequests) }.joined(separator: " "))]
                    + times.map { time in
                        .rounds(Spread(rounds.map { Double(time($0.sample)) }), .milliseconds, withExtremes: true)
                    }
            )
            let wrong = rounds.reduce(0) { $0 + $1.sample.wrong }
            if wrong > 0 {
                let first = rounds.lazy.compactMap(\.sample.firstWrong).first ?? ""
                failures.append("\(wrong) wrong answers at \(crowd.name), the first: \(first)")
            }
        }
        return Report.Section(
            name: "burst",
            title: "Bursts",
            notes: ["times from the first request sent; medians of the rounds, and in brackets the extremes"],
            tables: [table],
            verdicts: figures.flatMap { verdicts($0.crowd, $0.rounds) },
            failures: failures
        )
    }

    private static func verdicts(_ crowd: Scenario, _ rounds: [Figures]) -> [Verdict] {
        let requests = rounds.map(\.upstreamRequests).max() ?? 0
        let spread = rounds.map { Double($0.sample.spread) }.max() ?? 0
        return [
            Verdict(
                "one upstream request for 1,000 identical searches on \(crowd.name)",
                measured: "at most \(requests)",
                passed: rounds.allSatisfy { $0.upstreamRequests == 1 }
            ),
            Verdict(
                "all answered within 20 ms on \(crowd.name)",
                measured: "\(Unit.milliseconds.text(spread)) ms at most",
                passed: spread <= spreadNanosecondsMax
            ),
        ]
    }
}
