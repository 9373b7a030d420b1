import Catalogue

extension Limits {
    /// Returns these limits, replaced by the other limits where those have values.
    ///
    /// A burst belongs to its rate: a new rate without a burst has none.
    func overridden(by others: Limits) -> Limits {
        Limits(
            perSecond: others.perSecond ?? perSecond,
            burst: others.burst ?? (others.perSecond == nil ? burst : nil),
            perDay: others.perDay ?? perDay,
            concurrency: others.concurrency ?? concurrency
        )
    }

    /// Returns the stricter value of each limit.
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
