/// Whether hits of one source stay fast while another fails.
enum TroublePart {
    /// A way to fail, as the sandbox names it.
    struct Trouble: Sendable {
        let name: String
        let fault: String
    }

    /// The samples of one round, without trouble and with each.
    struct Round: Sendable {
        let quiet: LoadSample
        let troubled: [LoadSample]
    }

    static let troubles = [
        Trouble(name: "hangs", fault: #"{"source":"kakao.blog","name":"hang"}"#),
        Trouble(name: "fails", fault: #"{"source":"kakao.blog","name":"status","status":503}"#),
        Trouble(name: "refuses", fault: #"{"source":"kakao.blog","name":"status","status":429,"retryAfter":1}"#),
    ]
    /// New searches of the troubled source, all sent when a measurement begins.
    private static let searches = 64
    private static let scenario = Scenario(connections: 16)
    private static let shareMin = 0.9

    /// Nothing when searchd is not among the peers.
    static func run(
        _ options: Options,
        _ factory: PeerFactory,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        guard options.peers.contains(.searchd), let sandbox = factory.sandbox else { return [] }
        progress("trouble: hits while another source is in trouble")
        let peer = try factory.start(.searchd)
        let (traffic, _) = try SearchdPeer.traffic(peer)
        var rounds: [Round] = []
        for round in 0..<options.rounds {
            // Without warming: the troubled searches are part of what is measured.
            let quiet = try peer.load(traffic, scenario, options, warms: false)
            var troubled: [LoadSample] = []
            for (number, trouble) in troubles.enumerated() {
                try sandbox.change(#"{"faults":[\#(trouble.fault)]}"#)
                let dialogue = try Dialogue(peer.socketPath)
                try dialogue.send(requests(round: round, number))
                // Its searches are in flight as long as it exists.
                let sample = try withExtendedLifetime(dialogue) { () throws(BenchmarkError) in
                    try peer.load(traffic, scenario, options, warms: false)
                }
                troubled.append(sample)
            }
            try sandbox.change(#"{"faults":[]}"#)
            rounds.append(Round(quiet: quiet, troubled: troubled))
        }
        return [section(rounds)]
    }

    private static func requests(round: Int, _ trouble: Int) -> [UInt8] {
        (0..<searches).flatMap { number in
            let query = "trouble \(round) \(trouble) \(number)"
            return Wire.request(number, "search", Wire.search(query, "kakao.blog", #","timeout":60000"#))
        }
    }

    private static func section(_ rounds: [Round]) -> Report.Section {
        var table = ResultTable(["hits of kakao.video a second", "median", "of the quiet rate"])
        let quiet = rounds.map(\.quiet.answersPerSecond)
        table.add("kakao.blog is well", [.rounds(Spread(quiet))])
        var verdicts: [Verdict] = []
        for (index, trouble) in troubles.enumerated() {
            let rates = rounds.map { $0.troubled[index].answersPerSecond }
            let ratio = Spread(ratiosOf: rates, to: quiet)
            table.add(
                "kakao.blog \(trouble.name)",
                [.rounds(Spread(rates)), .rounds(ratio, .ratio, withExtremes: true)]
            )
            verdicts.append(
                Verdict(
                    "while a source \(trouble.name), hits of another at 0.9 of their rate at least",
                    measured: Numbers.ratio(ratio),
                    passed: (ratio?.median ?? 0) >= shareMin
                )
            )
        }
        let wrong = rounds.flatMap { [$0.quiet] + $0.troubled }.reduce(0) { $0 + $1.wrong }
        return Report.Section(
            name: "trouble",
            title: "Hits while another source is in trouble",
            notes: [
                "\(scenario.name); \(searches) new searches of the other source at the beginning of each measurement",
                "medians of \(rounds.count) rounds, each against its own quiet rate; in brackets the extremes",
            ],
            tables: [table],
            verdicts: verdicts,
            failures: wrong == 0 ? [] : ["\(wrong) wrong answers to hits"]
        )
    }
}
