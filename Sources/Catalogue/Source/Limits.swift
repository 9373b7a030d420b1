/// How fast a source may be asked; nil where nothing is known.
package struct Limits: Equatable, Sendable {
    package var perSecond: Double?
    /// How many may follow at once after a pause.
    package var burst: Int?
    package var perDay: Int?
    package var concurrency: Int?

    package init(perSecond: Double? = nil, burst: Int? = nil, perDay: Int? = nil, concurrency: Int? = nil) {
        self.perSecond = perSecond
        self.burst = burst
        self.perDay = perDay
        self.concurrency = concurrency
    }
}
