import Catalogue
import Engine
import Glibc
import SearchModel

/// Compares the quality of searchd's order with other ways to merge.
enum RankingPart {
    struct Half {
        let name: String
        var searchd = RankingMeasure()
        var reciprocalRank = RankingMeasure()
        /// The first hits of all sources, then the second hits, and so on.
        var roundRobin = RankingMeasure()
        /// Scales the scores of each source to the range 0 to 1, and adds the scores of hits with the same title.
        var combSUM = RankingMeasure()
        /// CombSUM multiplied by the number of hits with the same title.
        var combMNZ = RankingMeasure()
        /// searchd's order with the best weights of sources for each search.
        var oracle = RankingMeasure()

        var ways: [(name: String, measure: RankingMeasure)] {
            [
                ("searchd", searchd), ("reciprocal rank", reciprocalRank), ("round robin", roundRobin),
                ("CombSUM", combSUM), ("CombMNZ", combMNZ), ("oracle of weights", oracle),
            ]
        }
    }

    private static let now: Int64 = 1_750_000_000
    private static let rankOffset = 60.0
    /// The minimum lead of searchd over reciprocal rank.
    private static let lead = 0.15
    private static let oracleWeights = [0.25, 0.5, 1, 2, 4]

    static func run() throws -> Section {
        let searches = try JudgedSearch.all()
        let halves = try measure(searches)
        var table = ResultTable(["", "nDCG@10", "known item in 3"])
        for half in halves {
            for (way, measure) in half.ways {
                table.add("\(way), \(half.name)", [measure.gain, measure.recall].map(Unit.share.text))
            }
        }
        return Section(
            title: "The merged order of several sources",
            notes: [
                "\(searches.count) judged searches with the built-in source files; half of them are a held-out set",
                "reciprocal rank fusion (k = 60) and round robin use only the order of each source",
                "CombSUM and CombMNZ use the scores of searchd; the oracle knows the judgements",
            ],
            tables: [table],
            verdicts: verdicts(halves)
        )
    }

    /// Measures each half of the searches.
    ///
    /// The weights of searchd were chosen with the first half.
    static func measure(_ searches: [JudgedSearch], withOracle: Bool = true) throws -> [Half] {
        let catalogue = Catalogue.builtIn()
        var halves = [Half(name: "tuning set"), Half(name: "held-out set")]
        for (number, search) in searches.enumerated() {
            let lists = try ScoredLists(search, catalogue, now: now)
            let half = number % 2
            halves[half].searchd.add(lists.merged(), of: search)
            halves[half].reciprocalRank.add(byRank(search) { 1 / (rankOffset + Double($0)) }, of: search)
            halves[half].roundRobin.add(byRank(search) { -Double($0) }, of: search)
            halves[half].combSUM.add(lists.combined { sum, _ in sum }, of: search)
            halves[half].combMNZ.add(lists.combined { $0 * Double($1) }, of: search)
            if withOracle { halves[half].oracle.add(oracle(lists, search), of: search) }
        }
        return halves
    }

    static func verdicts(_ halves: [Half]) -> [Verdict] {
        halves.flatMap { half in
            [("nDCG@10", \RankingMeasure.gain), ("the known item among the first three", \.recall)].map {
                name,
                figure in
                let ahead = half.searchd[keyPath: figure] - half.reciprocalRank[keyPath: figure]
                return Verdict(
                    "\(name), \(half.name): at least \(Unit.ratio.text(lead)) ahead of reciprocal rank",
                    measured: Unit.share.text(ahead),
                    passed: ahead >= lead
                )
            }
        }
    }

    static func byRank(_ search: JudgedSearch, _ score: (Int) -> Double) -> [JudgedSearch.Judged] {
        let scored = search.lists.sorted { $0.source < $1.source }.flatMap { list in
            list.hits.enumerated().map { index, hit in (hit: hit, score: score(index + 1)) }
        }
        return scored.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.hit)
    }

    private static func oracle(_ lists: ScoredLists, _ search: JudgedSearch) -> [JudgedSearch.Judged] {
        var weights = lists.weights
        var best = lists.merged()
        for index in Array(weights.indices) + Array(weights.indices) {
            for weight in oracleWeights {
                var changed = weights
                changed[index] = weight
                let order = lists.merged(changed)
                guard RankingMeasure.gain(of: order) > RankingMeasure.gain(of: best) else { continue }
                (best, weights) = (order, changed)
            }
        }
        return best
    }
}

/// The results of a judged search, which searchd's scores can merge in several ways.
struct ScoredLists {
    private let query: SearchQuery
    private let lists: [(source: Source, hits: [Hit])]
    private var judged: [String: JudgedSearch.Judged] = [:]
    private let now: Int64

    init(_ search: JudgedSearch, _ catalogue: Catalogue, now: Int64) throws {
        var judged: [String: JudgedSearch.Judged] = [:]
        lists = try search.lists.sorted { $0.source < $1.source }.map { list in
            guard let source = catalogue[list.source] else { throw BenchmarkError("unknown source \(list.source)") }
            let hits = list.hits.enumerated().map { index, hit in
                let seconds = hit.ageDays.map { now - Int64($0) * 86_400 }
                let id = "\(list.source):\(index)"
                judged[id] = hit
                return Hit(
                    id: id,
                    source: list.source,
                    kind: source.kind,
                    title: hit.title,
                    snippet: hit.snippet,
                    author: hit.author,
                    published: seconds.map { PublishedDate(epochSeconds: $0, offsetMinutes: 0, precision: .second) },
                    rank: index + 1
                )
            }
            return (source: source, hits: hits)
        }
        query = search.query
        self.judged = judged
        self.now = now
    }

    var weights: [Double] { lists.map(\.source.weight) }

    func merged(_ weights: [Double]? = nil) -> [JudgedSearch.Judged] {
        RankingMeasurement.scored(lists, query, weights: weights, now: now).compactMap { judged[$0.id] }
    }

    func combined(_ score: (Double, Int) -> Double) -> [JudgedSearch.Judged] {
        let scored = RankingMeasurement.scored(lists, query, now: now).map { id, parts in
            (id: id, source: id.prefix { $0 != ":" }, score: parts.sum - parts.variety)
        }
        var sums: [String: (sum: Double, count: Int)] = [:]
        for (_, hits) in Dictionary(grouping: scored, by: \.source) {
            let scores = hits.map(\.score)
            let (low, high) = (scores.min() ?? 0, scores.max() ?? 0)
            for hit in hits {
                let title = judged[hit.id]?.title ?? ""
                sums[title, default: (0, 0)].sum += high > low ? (hit.score - low) / (high - low) : 1
                sums[title, default: (0, 0)].count += 1
            }
        }
        let hits = scored.compactMap { judged[$0.id] }.map { hit in
            (hit: hit, score: sums[hit.title].map { score($0.sum, $0.count) } ?? 0)
        }
        return hits.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.hit)
    }
}

/// Averages how well an order matches the judgements.
struct RankingMeasure: Sendable {
    private static let window = 10
    private static let first = 3

    private var searches = 0
    private var gains = 0.0
    private var found = 0
    private var known = 0

    var gain: Double { gains / Double(max(1, searches)) }
    var recall: Double { Double(found) / Double(max(1, known)) }

    mutating func add(_ order: [JudgedSearch.Judged], of search: JudgedSearch) {
        let all = search.lists.flatMap(\.hits)
        let best = Self.gain(of: all.sorted { $0.grade > $1.grade })
        searches += 1
        gains += best > 0 ? Self.gain(of: order) / best : 1
        guard all.contains(where: \.isKnown) else { return }
        known += 1
        if order.prefix(Self.first).contains(where: \.isKnown) { found += 1 }
    }

    static func gain(of order: [JudgedSearch.Judged]) -> Double {
        order.prefix(window).enumerated().reduce(0) { sum, hit in
            sum + Double((1 << hit.element.grade) - 1) / log2(Double(hit.offset + 2))
        }
    }
}
