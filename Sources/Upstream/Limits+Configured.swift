import Catalogue

extension Limits {
    /// These limits where the others say nothing, and else the others.
    ///
    /// A burst belongs to its rate: another rate without one has none.
    func overridden(by others: Limits) -> Limits {
        Limits(
            perSecond: others.perSecond ?? perSecond,
            burst: others.burst ?? (others.perSecond == nil ? burst : nil),
            perDay: others.perDay ?? perDay,
            concurrency: others.concurrency ?? concurrency
        )
    }

    /// The stricter one of each limit.
    func tightened(by others: Limits) -> Limits {
        Limits(
            perSecond: Self.smaller(perSecond, others.perSecond),
            burst: Self.smaller(burst, others.burst),
            perDay: Self.smaller(perDay, others.perDay),
            concurrency: Self.smaller(concurrency, others.concurrency)
        )
    }

    private static func smaller<Number: Comparable>(_ left: Number?, _ right: Number?) -> Number? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }
}
