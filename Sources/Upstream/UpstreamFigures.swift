package import EventLoop
package import SearchModel

/// Counts calls upstream by source and outcome, and keeps each source's health; exact, from any thread.
package final class UpstreamFigures: Sendable {
    /// The figures of one source's calls.
    package struct OfSource: Sendable {
        /// How many calls ended, by HTTP status or kind of error.
        package var calls: [String: Int] = [:]
        /// How long the answered ones took, whatever the answer said.
        package var latency = LatencyHistogram.ofCalls
        package var health = SourceHealth()
    }

    private let figures = Locked((sources: [SourceName: OfSource](), errors: RecentErrors()))
    private let changed: @Sendable (StateChange) -> Void

    /// - Parameter changed: Called when a source begins to fail, and when it answers again.
    package init(changed: @escaping @Sendable (StateChange) -> Void = { _ in }) {
        self.changed = changed
    }

    /// The errors of late, the newest first.
    package var recentErrors: [RecentErrors.Entry] { figures.withLock { $0.errors.entries } }

    package var bySource: [SourceName: OfSource] { figures.withLock { $0.sources } }

    /// A call has ended, with a page or an error, at a time in seconds since 1970; with an HTTP status if it was answered.
    package func ended(
        _ source: SourceName,
        _ error: SearchError?,
        status: Int? = nil,
        after duration: Duration = .zero,
        at now: Int64
    ) {
        let (before, after) = figures.withLock { figures in
            var ofSource = figures.sources[source] ?? OfSource()
            let before = ofSource.health.failingSince
            ofSource.calls[status.map(String.init) ?? error?.kind.rawValue ?? "", default: 0] += 1
            if status != nil { ofSource.latency.add(nanoseconds: duration.saturatingNanoseconds) }
            // When this machine is offline every call fails, which says nothing about this source.
            if error?.isOffline != true {
                ofSource.health.ended(error?.kind, error?.message ?? "", status: status, at: now)
                if let error { figures.errors.add(source, error.kind, at: now) }
            }
            figures.sources[source] = ofSource
            return (before, ofSource.health.failingSince)
        }
        if before == nil, after != nil {
            let reason = error?.kind.rawValue ?? "unavailable"
            changed(StateChange(.health, of: source, "\(source) fails: \(reason)", isTrouble: true))
        } else if let before, after == nil {
            let message = "\(source) answers again, after \(max(0, now - before)) s"
            changed(StateChange(.health, of: source, message, isTrouble: false))
        }
    }
}

/// How a source has been answering the calls that were really made; pure.
package struct SourceHealth: Equatable, Sendable {
    /// Why a source fails: how many calls in a row have, and the outcome of the latest.
    package struct Failure: Equatable, Sendable {
        package let count: Int
        package let kind: SearchError.Kind
        package let message: String
        package let status: Int?
    }

    /// When the first call after the last good answer failed, in seconds since 1970; nil while nothing is wrong.
    package private(set) var failingSince: Int64?
    /// The latest of the calls that have failed since; nil while nothing is wrong.
    package private(set) var failure: Failure?

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
            failure = Failure(count: (failure?.count ?? 0) + 1, kind: kind, message: message, status: status)
        }
    }
}

/// The calls upstream that failed lately, those of one source and kind together; pure.
///
/// Invariant: the newest come first, and there are never more than `entriesMax`.
package struct RecentErrors: Sendable {
    package struct Entry: Equatable, Sendable {
        package let source: SourceName
        package let kind: SearchError.Kind
        package fileprivate(set) var count = 0
        /// Seconds since 1970.
        package let firstAt: Int64
        package fileprivate(set) var lastAt: Int64
    }

    static let entriesMax = 50
    /// An error that comes so long after its like is another one.
    static let pauseSecondsMax: Int64 = 600

    package private(set) var entries: [Entry] = []

    mutating func add(_ source: SourceName, _ kind: SearchError.Kind, at now: Int64) {
        let index = entries.firstIndex {
            $0.source == source && $0.kind == kind && now - $0.lastAt <= Self.pauseSecondsMax
        }
        var entry = index.map { entries.remove(at: $0) } ?? Entry(source: source, kind: kind, firstAt: now, lastAt: now)
        (entry.count, entry.lastAt) = (entry.count + 1, now)
        entries = Array(([entry] + entries).prefix(Self.entriesMax))
    }
}
