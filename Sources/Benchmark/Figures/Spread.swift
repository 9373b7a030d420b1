/// One figure over several rounds: the median, and the extremes that show how reliable it is.
///
/// Invariant: at least one value; `lowest <= median <= highest`.
struct Spread: Equatable, Sendable {
    /// In the order of the rounds.
    let values: [Double]
    let median: Double
    let lowest: Double
    let highest: Double

    /// Nil without values.
    init?(_ values: [Double]) {
        let ordered = values.sorted()
        guard let first = ordered.first, let last = ordered.last else { return nil }
        self.values = values
        let middle = ordered.count / 2
        median = ordered.count.isMultiple(of: 2) ? (ordered[middle - 1] + ordered[middle]) / 2 : ordered[middle]
        lowest = first
        highest = last
    }

    /// The ratios of two figures measured in the same rounds, round by round.
    ///
    /// A round is compared with itself, since other load on the machine affects all peers in it. Nil without rounds, or
    /// when a figure to divide by is zero.
    init?(ratiosOf figures: [Double], to measure: [Double]) {
        guard figures.count == measure.count, !measure.contains(0) else { return nil }
        self.init(zip(figures, measure).map { $0 / $1 })
    }
}
