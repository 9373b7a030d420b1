package import SearchModel

/// How a quota stands.
package struct QuotaFigures: Equatable, Sendable {
    package let name: String
    package let limit: Int
    package let used: Int
    package let left: Int
    /// In the zone of the source's calendar.
    package let resetsAt: PublishedDate
    /// When it is used up at this pace; nil when it lasts.
    package let forecast: PublishedDate?

    package init(
        name: String,
        limit: Int,
        used: Int,
        left: Int,
        resetsAt: PublishedDate,
        forecast: PublishedDate?
    ) {
        self.name = name
        self.limit = limit
        self.used = used
        self.left = left
        self.resetsAt = resetsAt
        self.forecast = forecast
    }
}
