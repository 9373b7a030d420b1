import EventLoop
package import SearchModel

/// Counts calls upstream by source and outcome, and keeps each source's health; exact, from any thread.
package final class UpstreamFigures: Sendable {
    private struct Figures {
        var calls: [SourceName: [String: Int]] = [:]
        var health: [SourceName: SourceHealth] = [:]
    }

    private let figures = Locked(Figures())

    package init() {}

    /// A call has ended, by its HTTP status or the kind of its error.
    package func count(_ source: SourceName, _ outcome: String) {
        figures.withLock { $0.calls[source, default: [:]][outcome, default: 0] += 1 }
    }

    /// A call has ended with a page, or with an error of this kind, at a time in seconds since 1970.
    package func ended(_ source: SourceName, _ error: SearchError.Kind?, at now: Int64) {
        figures.withLock { $0.health[source, default: SourceHealth()].ended(error, at: now) }
    }

    package var bySource: [SourceName: [String: Int]] {
        figures.withLock { $0.calls }
    }

    /// The health of every source that has been called.
    package var health: [SourceName: SourceHealth] {
        figures.withLock { $0.health }
    }
}
