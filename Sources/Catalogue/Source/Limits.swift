/// How fast a source may be asked; nil where nothing is known.
package struct Limits: Equatable, Sendable {
    package var perSecond: Double?
    package var perDay: Int?
    package var concurrency: Int?

    package init(perSecond: Double? = nil, perDay: Int? = nil, concurrency: Int? = nil) {
        self.perSecond = perSecond
        self.perDay = perDay
        self.concurrency = concurrency
    }
}
