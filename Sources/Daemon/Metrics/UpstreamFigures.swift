import EventLoop
import SearchModel
import Upstream

/// Counts the calls to each source by outcome, and keeps each source's health; thread-safe.
final class UpstreamFigures: Sendable {
    struct OfSource: Sendable {
        var calls: [String: Int] = [:]
        var latency = LatencyHistogram.ofCalls
        var health = SourceHealth()
        /// The time of the latest call that found no network, in seconds since 1970.
        var offlineAt: Int64 = 0
        /// The time of the latest response, in seconds since 1970.
        var respondedAt: Int64 = 0

        fileprivate mutating func record(_ error: SearchError?, _ status: Int?, _ duration: Duration, at now: Int64) {
            calls[status.map(String.init) ?? error?.kind.rawValue ?? "", default: 0] += 1
            if status != nil { latency.add(nanoseconds: duration.saturatingNanoseconds) }
            if status != nil { respondedAt = now }
            // If this machine is offline, the source did not cause the failure.
            guard error?.isOffline != true else { return offlineAt = now }
            health.ended(error?.kind, error?.message ?? "", status: status, at: now)
        }
    }

    private let figures = Locked([SourceName: OfSource]())
    private let changed: @Sendable (StateChange) -> Void

    /// `changed` is called when a source begins to fail, and when it recovers.
    init(changed: @escaping @Sendable (StateChange) -> Void = { _ in }) {
        self.changed = changed
    }

    var bySource: [SourceName: OfSource] { figures.withLock { $0 } }

    /// `now` is in seconds since 1970; `status` is nil if no response arrived.
    func record(
        _ source: SourceName,
        _ error: SearchError?,
        status: Int?,
        after duration: Duration,
        at now: Int64
    ) {
        let (before, after) = figures.withLock { figures in
            let before = figures[source]?.health.failingSince
            figures[source, default: OfSource()].record(error, status, duration, at: now)
            return (before, figures[source]?.health.failingSince)
        }
        if before == nil, after != nil {
            let reason = error?.kind.rawValue ?? "unavailable"
            changed(StateChange(.health, of: source, "\(source) fails: \(reason)", isTrouble: true))
        } else if let before, after == nil {
            let message = "\(source) answers again; it failed for \(max(0, now - before)) s"
            changed(StateChange(.health, of: source, message, isTrouble: false))
        }
    }

    /// Forgets that the machine was offline, because a new configuration may have other addresses, and forgets refusals
    /// of keys that have changed.
    func reloaded(_ haveKeysChanged: (SourceName) -> Bool) {
        figures.withLock { figures in
            for (source, known) in figures {
                figures[source]?.offlineAt = 0
                guard known.health.failure?.kind == .unauthorized, haveKeysChanged(source) else { continue }
                figures[source]?.health = SourceHealth()
            }
        }
    }
}

struct SourceHealth: Equatable, Sendable {
    /// Failures since the last success, with the error of the latest call.
    struct Failure: Equatable, Sendable {
        let count: Int
        let since: Int64
        let lastAt: Int64
        let kind: SearchError.Kind
        let message: String
        let status: Int?
    }

    private(set) var latestFailure: Failure?
    private var isFailing = false

    init() {}

    var failure: Failure? { isFailing ? latestFailure : nil }

    var failingSince: Int64? { failure?.since }

    mutating func ended(
        _ error: SearchError.Kind?,
        _ message: String = "",
        status: Int? = nil,
        at now: Int64
    ) {
        switch error {
        case nil, .invalidParams, .notFound: isFailing = false
        case .cancelled, .superseded, .shuttingDown, .overloaded, .internal: break
        case let kind?:
            latestFailure = Failure(
                count: (failure?.count ?? 0) + 1,
                since: failure?.since ?? now,
                lastAt: now,
                kind: kind,
                message: message,
                status: status
            )
            isFailing = true
        }
    }
}
