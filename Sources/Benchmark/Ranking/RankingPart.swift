import Catalogue
import Engine
import Glibc
import SearchModel

/// How good searchd's merged order is, compared with orders made of ranks alone.
enum RankingPart {
    /// The way that one list is made of several.
    enum Way: String, CaseIterable {
        case searchd
        case reciprocalRank = "reciprocal rank"
        case roundRobin = "round robin"
    }

    /// What one way achieves on either half of the searches.
    typealias Figures = [RankingMeasure]

    /// When the searches are made, in seconds since 1970.
    private static let now: Int64 = 1_750_000_000
    private static let rankOffset = 60.0
    /// The half that the rules were tuned on, and the half that they were not.
    private static let halves = ["tuned on", "held out"]
    /// How far searchd must be ahead of both others, in either measure on either half.
    private static let lead = 0.15

    static func run() throws -> Section {
        let searches = try JudgedSearch.all()
        let figures = try measure(searches)
        var table = ResultTable(
            ["way"] + ["nDCG@10", "known item in 3"].flatMap { name in halves.map { "\(name), \($0)" } }
        )
        for way in Way.allCases {
            let halves = figures[way] ?? []
            table.add(way.rawValue, (halves.map(\.gain) + halves.map(\.recall)).map(Unit.share.text))
        }
        return Section(
            title: "The order of several sources' hits",
            notes: [
                "\(searches.count) judged searches, every other one held out; the sources as their files declare them",
                "reciprocal rank with 60 added and round robin know only each source's own order",
            ],
            tables: [table],
            verdicts: verdicts(figures)
        )
    }

    static func measure(_ searches: [JudgedSearch]) throws -> [Way: Figures] {
        let catalogue = Catalogue.builtIn()
        var figures: [Way: Figures] = [:]
        for (number, search) in searches.enumerated() {
            let judged = search.judged
            for way in Way.allCases {
                let order =
                    switch way {
                    case .searchd: try searchd(search, catalogue)
                    case .reciprocalRank: reciprocalRank(search)
                    case .roundRobin: roundRobin(search, first: number)
                    }
                figures[way, default: [RankingMeasure(), RankingMeasure()]][number % 2]
                    .add(order.compactMap { judged[$0] }, of: search)
            }
        }
        return figures
    }

    static func verdicts(_ figures: [Way: Figures]) -> [Verdict] {
        halves.indices.flatMap { half in
            [("nDCG@10", \RankingMeasure.gain), ("the known item among the first three", \.recall)].map {
                name,
                measure in
                let others = Way.allCases.filter { $0 != .searchd }.compactMap { figures[$0]?[half][keyPath: measure] }
                let ahead = (figures[.searchd]?[half][keyPath: measure] ?? 0) - (others.max() ?? 0)
                return Verdict(
                    "\(name), \(halves[half]): at least \(Unit.ratio.text(lead)) ahead of both others",
                    measured: Unit.share.text(ahead),
                    passed: ahead >= lead
                )
            }
        }
    }

    // MARK: Ways

    /// As the engine does, with the sources as their files declare them.
    private static func searchd(_ search: JudgedSearch, _ catalogue: Catalogue) throws -> [String] {
        let lists = try search.lists.sorted { $0.source < $1.source }.map { list in
            guard let source = catalogue[list.source] else { throw BenchmarkError("unknown source \(list.source)") }
            let hits = list.hits.enumerated().map { index, judged in
                let seconds = judged.ageDays.map { now - Int64($0) * 86_400 }
                return Hit(
                    id: JudgedSearch.id(of: judged, at: index, list.source),
                    source: list.source,
                    kind: source.kind,
                    title: judged.title,
                    snippet: judged.snippet,
                    author: judged.author,
                    published: seconds.map { PublishedDate(epochSeconds: $0, offsetMinutes: 0, precision: .second) },
                    rank: index + 1
                )
            }
            return (source: source, hits: hits)
        }
        return MergedOrder.ids(lists, search.query, now: now)
    }

    /// By reciprocal rank alone, sources in the order of their names.
    static func reciprocalRank(_ search: JudgedSearch) -> [String] {
        let scored = search.lists.sorted { $0.source < $1.source }.flatMap { list in
            list.hits.enumerated().map { index, hit in
                (id: JudgedSearch.id(of: hit, at: index, list.source), score: 1 / (rankOffset + Double(index + 1)))
            }
        }
        return scored.enumerated().sorted {
            $0.element.score == $1.element.score ? $0.offset < $1.offset : $0.element.score > $1.element.score
        }.map(\.element.id)
    }

    /// One hit of each source in turn, beginning with another source each time.
    static func roundRobin(_ search: JudgedSearch, first: Int) -> [String] {
        let count = search.lists.count
        let lists = search.lists.indices.map { search.lists[($0 + first) % count] }
        return (0..<(lists.map(\.hits.count).max() ?? 0)).flatMap { index in
            lists.filter { $0.hits.count > index }.map { JudgedSearch.id(of: $0.hits[index], at: index, $0.source) }
        }
    }
}

/// How good an order of judged hits is.
struct RankingMeasure: Sendable {
    private static let window = 10
    private static let first = 3

    private var searches = 0
    private var gains = 0.0
    private var found = 0
    private var known = 0

    /// The mean of the normalised discounted cumulative gain of the first ten: 1 when no order could be better.
    var gain: Double { gains / Double(max(1, searches)) }
    /// How often the known item is among the first three.
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
