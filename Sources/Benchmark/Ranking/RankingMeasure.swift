import Glibc

/// How good an order of judged hits is.
struct RankingMeasure: Sendable {
    static let window = 10
    static let first = 3

    private(set) var searches = 0
    private var gains = 0.0
    private var found = 0
    private var known = 0

    /// The mean of the normalised discounted cumulative gain of the first ten: 1 when none could be better.
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

    static func gain(of grades: [Int]) -> Double {
        grades.prefix(window).enumerated().reduce(0) { sum, hit in
            sum + Double((1 << hit.element) - 1) / log2(Double(hit.offset + 2))
        }
    }
}
