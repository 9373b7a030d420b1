/// The median and the extremes of a number over several rounds.
struct Spread: Equatable, Sendable {
    let median: Double
    let lowest: Double
    let highest: Double

    init?(_ values: [Double]) {
        let ordered = values.sorted()
        guard let first = ordered.first, let last = ordered.last else { return nil }
        let middle = ordered.count / 2
        median = ordered.count.isMultiple(of: 2) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
        (lowest, highest) = (first, last)
    }

    /// Divides the two numbers of each round, because other load affects both numbers.
    init?(ratiosOf figures: [Double], to others: [Double]) {
        guard figures.count == others.count, !others.contains(0) else { return nil }
        self.init(zip(figures, others).map { $0 / $1 })
    }
}

struct Latencies: Sendable {
    private var values: [Int64] = []

    var longest: Int64 { values.max() ?? 0 }

    mutating func record(_ nanoseconds: Int64) { values.append(nanoseconds) }

    func percentile(_ fraction: Double) -> Double {
        let ordered = values.sorted()
        let rank = max(1, Int((fraction * Double(ordered.count)).rounded(.up)))
        return ordered.isEmpty ? 0 : Double(ordered[rank - 1])
    }
}

/// The unit and the decimal places of a printed number.
struct Unit: Sendable {
    private let scale: Double
    private let places: Int

    static let count = Unit(scale: 1, places: 0)
    static let ratio = Unit(scale: 1, places: 2)
    static let share = Unit(scale: 1, places: 3)
    static let percent = Unit(scale: 100, places: 1)
    static let microseconds = Unit(scale: 1e-3, places: 1)
    static let milliseconds = Unit(scale: 1e-6, places: 2)
    static let mebibytes = Unit(scale: 1 / 1_048_576, places: 1)

    func text(_ value: Double) -> String {
        let scaled = abs(value * scale)
        guard scaled.isFinite, scaled < 1e15 else { return "–" }
        let factor = (0..<places).reduce(1) { product, _ in product * 10 }
        let rounded = Int((scaled * Double(factor)).rounded())
        let digits = Array(String(rounded / factor))
        var text = value < 0 && rounded > 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        guard places > 0 else { return text }
        let fraction = String(rounded % factor)
        return text + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    func text(_ value: Int64) -> String { text(Double(value)) }

    func text(_ spread: Spread) -> String {
        "\(text(spread.median)) (\(text(spread.lowest))–\(text(spread.highest)))"
    }

    func median(_ values: [Double]) -> String { Spread(values).map { text($0.median) } ?? "–" }
}

/// The random number generator SplitMix64.
///
/// A seed always gives the same numbers.
struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
