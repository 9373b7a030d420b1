import EventLoop

/// How good searchd's merged order is, compared with orders made of ranks alone.
enum RankingPart {
    /// The way that a list is made.
    enum Way: String, CaseIterable, Sendable {
        case searchd
        case reciprocalRank = "reciprocal rank"
        case roundRobin = "round robin"
    }

    /// What one way came to on the searches of either half, and which sources stand first.
    struct Figures: Sendable {
        var halves = [RankingMeasure(), RankingMeasure()]
        var leaders: [String: Int] = [:]

        func gain(_ half: Int) -> Double { halves[half].gain }
        func recall(_ half: Int) -> Double { halves[half].recall }
    }

    /// The half that the rules were tuned on, and the one that they were not.
    static let halves = ["tuned on", "held out"]
    /// By how much searchd has to be ahead of both others, in either measure on either half.
    private static let lead = 0.15

    static func run(progress: (String) -> Void) throws(BenchmarkError) -> [Report.Section] {
        let searches = try JudgedSearch.all()
        progress("ranking: \(searches.count) judged searches")
        let figures = try measure(searches)
        progress("ranking: what merging costs")
        return [section(figures, searches: searches), try MergingCost.measure().section]
    }

    static func measure(_ searches: [JudgedSearch]) throws(BenchmarkError) -> [Way: Figures] {
        try OnLoop.run { loop async throws(BenchmarkError) in
            let ways = RankingWays()
            var figures: [Way: Figures] = [:]
            for (number, search) in searches.enumerated() {
                let judged = search.judged
                let orders: [(Way, [String])] = [
                    (.searchd, try await ways.searchd(search, on: loop)),
                    (.reciprocalRank, RankingWays.reciprocalRank(search)),
                    (.roundRobin, RankingWays.roundRobin(search, first: number)),
                ]
                for (way, order) in orders {
                    var own = figures[way] ?? Figures()
                    own.halves[number % 2].add(order.compactMap { judged[$0] }, of: search)
                    for id in order.prefix(RankingMeasure.first) {
                        own.leaders[String(id.prefix { $0 != ":" }), default: 0] += 1
                    }
                    figures[way] = own
                }
            }
            return figures
        }
    }

    private static func section(_ figures: [Way: Figures], searches: [JudgedSearch]) -> Report.Section {
        var table = ResultTable(
            ["way"] + ["nDCG@10", "known item in 3"].flatMap { name in halves.map { "\(name), \($0)" } }
        )
        for way in Way.allCases {
            guard let own = figures[way] else { continue }
            let measured = [own.gain(0), own.gain(1), own.recall(0), own.recall(1)]
            table.add(way.rawValue, measured.map { .one($0, .share) })
        }
        return Report.Section(
            name: "ranking",
            title: "The order of several sources' hits",
            notes: [
                "\(searches.count) judged searches, every other one held out; the sources as their files declare them",
                "reciprocal rank with 60 added and round robin know nothing but each source's own order",
            ],
            tables: [table, leaders(figures, places: searches.count * RankingMeasure.first)],
            verdicts: verdicts(figures)
        )
    }

    private static func leaders(_ figures: [Way: Figures], places: Int) -> ResultTable {
        var table = ResultTable(["of the first three, %"] + Way.allCases.map(\.rawValue))
        let sources = Set(figures.values.flatMap(\.leaders.keys)).sorted()
        for source in sources {
            let shares = Way.allCases.map { Double(figures[$0]?.leaders[source] ?? 0) / Double(max(1, places)) }
            table.add(source, shares.map { .one($0, .percent) })
        }
        return table
    }

    static func verdicts(_ figures: [Way: Figures]) -> [Verdict] {
        guard let own = figures[.searchd] else { return [] }
        let others = Way.allCases.filter { $0 != .searchd }.compactMap { figures[$0] }
        return halves.indices.flatMap { half in
            [
                ("nDCG@10", own.gain(half), others.map { $0.gain(half) }),
                ("the known item among the first three", own.recall(half), others.map { $0.recall(half) }),
            ].map { name, measured, others in
                let ahead = measured - (others.max() ?? 0)
                return Verdict(
                    "\(name), \(halves[half]): at least \(Numbers.decimal(lead, places: 2)) ahead of both others",
                    measured: Numbers.decimal(ahead, places: 3),
                    passed: ahead >= lead
                )
            }
        }
    }
}
