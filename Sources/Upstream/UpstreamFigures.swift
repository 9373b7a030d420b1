package import EventLoop
package import SearchModel

/// Counts calls upstream by source and outcome, and keeps each source's health; exact, from any thread.
package final class UpstreamFigures: Sendable {
    /// What is known of one source's calls.
    package struct OfSource: Sendable {
        /// How many calls ended, by HTTP status or kind of error.
        package var calls: [String: Int] = [:]
        /// How long those took that were answered, whatever the answer said.
        package var latency = LatencyHistogram.ofCalls
        package var health = SourceHealth()
    }

    private let figures = Locked<[SourceName: OfSource]>([:])
    private let errors = Locked(RecentErrors())
    private let changed: (@Sendable (StateChange) -> Void)?

    /// - Parameter changed: Called when a source begins to fail, and when it answers again.
    package init(changed: (@Sendable (StateChange) -> Void)? = nil) {
        self.changed = changed
    }

    /// A call was answered with an HTTP status.
    package func answered(_ source: SourceName, status: Int, after duration: Duration) {
        figures.withLock { figures in
            figures[source, default: OfSource()].calls[String(status), default: 0] += 1
            figures[source]?.latency.add(nanoseconds: duration.saturatingNanoseconds)
        }
    }

    /// A call was not answered.
    package func failed(_ source: SourceName, _ kind: SearchError.Kind) {
        figures.withLock { $0[source, default: OfSource()].calls[kind.rawValue, default: 0] += 1 }
    }

    /// A call has ended with a page, or with an error and an HTTP status, at a time in seconds since 1970.
    package func ended(_ source: SourceName, _ failure: SearchError?, status: Int? = nil, at now: Int64) {
        let error = failure?.kind
        let (before, after) = figures.withLock { figures in
            let before = figures[source]?.health.failingSince
            figures[source, default: OfSource()].health.ended(error, failure?.message ?? "", status: status, at: now)
            return (before, figures[source]?.health.failingSince)
        }
        if let error { errors.withLock { $0.add(source, error, at: now) } }
        if before == nil, after != nil {
            let reason = error?.rawValue ?? "unavailable"
            changed?(StateChange(.health, of: source, "\(source) fails: \(reason)", isTrouble: true))
        } else if let before, after == nil {
            let message = "\(source) answers again, after \(max(0, now - before)) s"
            changed?(StateChange(.health, of: source, message, isTrouble: false))
        }
    }

    /// What went wrong lately, the newest first.
    package var recentErrors: [RecentErrors.Entry] { errors.withLock { $0.entries } }

    package var bySource: [SourceName: OfSource] {
        figures.withLock { $0 }
    }
}

/// Why a source fails: how many calls in a row have, and what became of the latest.
package struct SourceFailure: Equatable, Sendable {
    package let count: Int
    package let kind: SearchError.Kind
    package let message: String
    package let status: Int?
}

/// How a source has been answering, from what became of the calls that were really made; pure.
package struct SourceHealth: Equatable, Sendable {
    /// When the first call after the last good answer failed, in seconds since 1970; nil while nothing is wrong.
    package private(set) var failingSince: Int64?
    /// The latest of the calls that have failed since; nil while nothing is wrong.
    package private(set) var failure: SourceFailure?

    package init() {}

    /// A call has ended with a page, or with an error of this kind, which may have come with an HTTP status.
    package mutating func ended(
        _ error: SearchError.Kind?,
        _ message: String = "",
        status: Int? = nil,
        at now: Int64
    ) {
        switch error {
        // The source does its work: it was asked for something that it does not have or take.
        case nil, .invalidParams, .notFound: (failingSince, failure) = (nil, nil)
        // The caller or the daemon gave up; this says nothing of the source.
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: break
        case let kind?:
            failingSince = failingSince ?? now
            failure = SourceFailure(
                count: (failure?.count ?? 0) + 1,
                kind: kind,
                message: message,
                status: status
            )
        }
    }
}

/// The calls upstream that failed lately, those of one source and class together; pure.
///
/// Invariant: the newest come first, and there are never more than `entriesMax`.
package struct RecentErrors: Sendable {
    package struct Entry: Equatable, Sendable {
        package let source: SourceName
        package let kind: SearchError.Kind
        package fileprivate(set) var count = 1
        /// Seconds since 1970.
        package let firstAt: Int64
        package fileprivate(set) var lastAt: Int64
    }

    package static let entriesMax = 50
    /// An error that comes so long after its like is another one.
    package static let pauseSecondsMax: Int64 = 600

    package private(set) var entries: [Entry] = []

    /// - Complexity: O(n) in the entries kept.
    package mutating func add(_ source: SourceName, _ kind: SearchError.Kind, at now: Int64) {
        let index = entries.firstIndex {
            $0.source == source && $0.kind == kind && now - $0.lastAt <= Self.pauseSecondsMax
        }
        guard let index else {
            entries.insert(Entry(source: source, kind: kind, firstAt: now, lastAt: now), at: 0)
            if entries.count > Self.entriesMax { entries.removeLast() }
            return
        }
        var entry = entries.remove(at: index)
        entry.count += 1
        entry.lastAt = now
        entries.insert(entry, at: 0)
    }
}
