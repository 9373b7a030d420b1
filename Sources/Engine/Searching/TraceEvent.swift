package import EventLoop
package import SearchModel

/// One step of a search's story.
package struct TraceEvent: Sendable {
    package let at: Instant
    package let source: SourceName?
    package let event: String
    /// What belongs to the event, in order; numbers and words only.
    package let details: [(name: String, value: Detail)]

    package enum Detail: Sendable {
        case number(Int)
        case decimal(Double)
        /// In milliseconds, with one decimal.
        case time(Duration)
        case text(String)
        /// Places in the lists of sources.
        case ranks([(source: SourceName, rank: Int)])
    }

    package init(at: Instant, source: SourceName? = nil, _ event: String, _ details: [(String, Detail)] = []) {
        self.at = at
        self.source = source
        self.event = event
        self.details = details.map { (name: $0.0, value: $0.1) }
    }
}
