/// What each word of a query says, by how few of the hits at hand have it: one that all of them have says little.
struct WordRarity: Sendable {
    private var hits = 0
    private var counts: [Int]
    /// The weight of each word; they add up to 1.
    private(set) var weights: [Double]

    init(words: Int) {
        counts = Array(repeating: 0, count: words)
        weights = Array(repeating: 1 / Double(max(1, words)), count: words)
    }

    mutating func count(_ match: HitMatch) {
        guard match.hasText else { return }
        hits += 1
        for word in counts.indices
        where match.title[word] > .none || match.snippet[word] > .none || match.author[word] > .none {
            counts[word] += 1
        }
    }

    /// Takes what was counted into account.
    mutating func weigh() {
        let rarities = counts.map { 1 + Double(hits) / Double($0 + 1) }.map(Self.logarithm)
        let sum = rarities.reduce(0, +)
        weights = rarities.map { sum > 0 ? $0 / sum : 1 / Double(rarities.count) }
    }

    /// The binary logarithm, straight between powers of two: near enough, and the same on every machine.
    private static func logarithm(_ number: Double) -> Double {
        Double(number.exponent) + number.significand - 1
    }
}
