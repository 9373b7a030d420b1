/// One upstream page, mapped.
package struct Page: Sendable {
    package var hits: [Hit]
    /// What follows `hits`; nil when they are all.
    package var unread: UnreadHits?
    /// What the source claims to have; nil when it does not say.
    package var total: Int?
    package var totalIsEstimate: Bool
    /// How many the source lets anyone page to; nil when it does not say and no bound is declared.
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
