/// One upstream page, mapped.
package struct Page: Sendable {
    package var hits: [Hit]
    /// What follows `hits`; nil when they are all.
    package var unread: UnreadHits?
    /// How many hits the source reports; nil when it does not.
    package var total: Int?
    package var totalIsEstimate: Bool
    /// How many hits can be paged to; nil when the source does not report it and no bound is declared.
    package var reachable: Int?
    /// True when the source has no page after this one.
    package var isEnd: Bool

    package init(
        hits: [Hit] = [],
        total: Int? = nil,
        totalIsEstimate: Bool = true,
        reachable: Int? = nil,
        isEnd: Bool
    ) {
        self.hits = hits
        self.total = total
        self.totalIsEstimate = totalIsEstimate
        self.reachable = reachable
        self.isEnd = isEnd
    }
}
