import Catalogue
import Engine
import Glibc
import SearchModel

/// Measures the quality of searchd's merged order, compared with reciprocal rank fusion.
enum RankingPart {
    /// Half of the searches, with the quality of both orders.
    struct Half {
        let name: String
        var searchd = RankingMeasure()
        var reciprocalRank = RankingMeasure()
    }

    /// The time of the searches, in seconds since 1970.
    private static let now: Int64 = 1_750_000_000
    private static let rankOffset = 60.0
    /// The target: the lead of searchd in both measures on both halves.
    private static let lead = 0.15

    static func run() throws -> Section {
        let searches = try JudgedSearch.all()
        let halves = try measure(searches)
        var table = ResultTable(["", "nDCG@10", "known item in 3"])
        for half in halves {
            for (way, measure) in [("searchd", half.searchd), ("reciprocal rank", half.reciprocalRank)] {
                table.add("\(way), \(half.name)", [measure.gain, measure.recall].map(Unit.share.text))
            }
        }
        return Section(
            title: "The merged order of several sources",
            notes: [
                "\(searches.count) judged searches, half of them held out; with the built-in source files",
                "reciprocal rank fusion (k = 60) uses only the order of each source",
            ],
            tables: [table],
            verdicts: verdicts(halves)
        )
    }

    /// Measures the half that was used for tuning and the held-out half.
    static func measure(_ searches: [JudgedSearch]) throws -> [Half] {
        let catalogue = Catalogue.builtIn()
        var halves = [Half(name: "tuned on"), Half(name: "held out")]
        for (number, search) in searches.enumerated() {
            halves[number % 2].searchd.add(try searchd(search, catalogue), of: search)
            halves[number % 2].reciprocalRank.add(reciprocalRank(search), of: search)
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

    // MARK: Orders

    /// The engine's merged order, with the built-in source files.
    private static func searchd(_ search: JudgedSearch, _ catalogue: Catalogue) throws -> [JudgedSearch.Judged] {
        var judged: [String: JudgedSearch.Judged] = [:]
        let lists = try search.lists.sorted { $0.source < $1.source }.map { list in
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
        return RankingMeasurement.mergedIDs(lists, search.query, now: now).compactMap { judged[$0] }
    }

    /// The order by reciprocal rank fusion; ties are broken by the name of the source.
    static func reciprocalRank(_ search: JudgedSearch) -> [JudgedSearch.Judged] {
        let scored = search.lists.sorted { $0.source < $1.source }.flatMap { list in
            list.hits.enumerated().map { index, hit in (hit: hit, score: 1 / (rankOffset + Double(index + 1))) }
        }
        return scored.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.hit)
    }
}

/// The quality of orders of judged hits.
struct RankingMeasure: Sendable {
    private static let window = 10
    private static let first = 3

    private var searches = 0
    private var gains = 0.0
    private var found = 0
    private var known = 0

    /// The mean nDCG@10: 1 for the best possible orders.
    var gain: Double { gains / Double(max(1, searches)) }
    /// The share of searches with the known item among the first three.
    var recall: Double { Double(found) / Double(max(1, known)) }

    mutating func add(_ order: [JudgedSearch.Judged], of search: JudgedSearch) {
        let all = search.lists.flatMap(\.hits)
        let best = Self.gain(of: all.map(\.grade).sorted(by: >))
        searches += 1
        gains += best > 0 ? Self.gain(of: order.map(\.grade)) / best : 1
        guard all.contains(where: \.isKnown) else { return }
        known += 1
        if order.prefix(Self.first).contains(where: \.isKnown) { found += 1 }
    }

    private static func gain(of grades: [Int]) -> Double {
        grades.prefix(window).enumerated().reduce(0) { sum, hit in
            sum + Double((1 << hit.element) - 1) / log2(Double(hit.offset + 2))
        }
    }
}
