/// How good the daemon's cache is: its hit rate, and the cost of a hit in a large cache.
enum CachePart {
    /// One stream, and how many times as often as LRU the cache must hit.
    struct Contest: Sendable {
        let name: String
        let plan: KeyStream.Plan
        let target: Double
    }

    /// The result of one contest.
    struct Figures: Sendable {
        let contest: Contest
        let distinct: Int
        let entriesMax: Int
        let leastRecentlyUsed: Double
        let searchd: Double
        let best: Double

        var ratio: Double { searchd / leastRecentlyUsed }
    }

    /// Different keys for each entry of the cache.
    private static let keysPerEntry = 100

    static func run(
        _ options: Options,
        progress: (String) -> Void
    ) throws(BenchmarkError) -> [Report.Section] {
        var figures: [Figures] = []
        for contest in contests(requests: options.cacheRequests) {
            progress("cache: \(contest.name)")
            figures.append(try replay(contest))
        }
        progress("cache: hits among 1,000 and among \(Numbers.decimal(Double(options.cacheEntries))) pages")
        let rates = try HitRates.measure(entries: options.cacheEntries, rounds: options.rounds)
        return [section(figures), HitRates.section(rates, entries: options.cacheEntries)]
    }

    /// Zipf streams of both exponents, with one-off keys as a third of all requests, and as a third of all keys.
    static func contests(requests: Int) -> [Contest] {
        let popular = requests * 3 / 10
        // So many requests that their keys are 35 % of all that may come.
        let ofKeys = 0.35 / 0.65 * Double(popular) / Double(requests)
        return [(exponent: 0.8, target: 1.5), (1.0, 1.2)].flatMap { exponent, target in
            [
                ("35 % of the requests", requests, 0.35, UInt64(20_261)), ("35 % of the keys", popular, ofKeys, 20_262),
            ].map { name, keys, share, seed in
                Contest(
                    name: "Zipf \(Numbers.decimal(exponent, places: 1)), one-off \(name)",
                    plan: KeyStream.Plan(
                        exponent: exponent,
                        popularKeys: keys,
                        oneOffShare: share,
                        requests: requests,
                        seed: seed
                    ),
                    target: target
                )
            }
        }
    }

    static func replay(_ contest: Contest) throws(BenchmarkError) -> Figures {
        let stream = KeyStream(contest.plan)
        let entriesMax = stream.distinct / keysPerEntry
        let requests = Double(stream.keys.count)
        return Figures(
            contest: contest,
            distinct: stream.distinct,
            entriesMax: entriesMax,
            leastRecentlyUsed: Double(CacheReplay.leastRecentlyUsed(stream, entriesMax: entriesMax)) / requests,
            searchd: Double(try CacheReplay.searchd(stream, entriesMax: entriesMax)) / requests,
            best: Double(CacheReplay.best(stream, entriesMax: entriesMax)) / requests
        )
    }

    private static func section(_ figures: [Figures]) -> Report.Section {
        var table = ResultTable([
            "hits of all requests, %", "keys", "room for", "LRU", "searchd", "best possible", "searchd/LRU", "target",
        ])
        for row in figures {
            table.add(
                row.contest.name,
                [.one(row.distinct), .one(row.entriesMax)]
                    + [row.leastRecentlyUsed, row.searchd, row.best].map { .one($0, .percent) }
                    + [row.ratio, row.contest.target].map { .one($0, .ratio) }
            )
        }
        return Report.Section(
            name: "cache",
            title: "Hits in a cache of 1 % of the keys",
            notes: [
                "\(Numbers.decimal(Double(figures.first?.contest.plan.requests ?? 0))) requests a stream, the seeds fixed;"
                    + " searchd's own cache in this process, filled from nothing",
                "the best possible knows the whole stream beforehand",
            ],
            tables: [table],
            verdicts: figures.map { row in
                let target = Numbers.decimal(row.contest.target, places: 1)
                return Verdict(
                    "\(row.contest.name): at least \(target) of LRU's hits",
                    measured: Numbers.decimal(row.ratio, places: 2),
                    passed: row.ratio >= row.contest.target
                )
            }
        )
    }
}
