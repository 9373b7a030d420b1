import EventLoop
package import SearchModel

/// Counts calls upstream by source and outcome; exact, from any thread.
package final class UpstreamFigures: Sendable {
    private let calls = Locked<[SourceName: [String: Int]]>([:])

    package init() {}

    /// A call has ended, by its HTTP status or the kind of its error.
    package func count(_ source: SourceName, _ outcome: String) {
        calls.withLock { $0[source, default: [:]][outcome, default: 0] += 1 }
    }

    package var bySource: [SourceName: [String: Int]] {
        calls.withLock { $0 }
    }
}
