import EventLoop
import SearchModel
import Upstream

/// The failures that sources answered a moment ago, for callers that ask the same again.
///
/// Invariant: at most `countMax`.
struct KnownFailures {
    static let countMax = 4096

    private struct Failure {
        let error: SearchError
        let failedAt: Instant
        let until: Instant
    }

    private var failures: [PageKey: Failure] = [:]

    var count: Int { failures.count }

    /// The failure of a page, with what is left of its pause now.
    func failure(of key: PageKey, now: Instant) -> SearchError? {
        guard let failure = failures[key], now < failure.until else { return nil }
        var error = failure.error
        error.retryAfter = error.retryAfter.map { max(.zero, $0 - failure.failedAt.duration(to: now)) }
        return error
    }

    /// Keeps a failure for a time; not when there are too many that are still good.
    ///
    /// - Complexity: O(n) when it is full.
    mutating func insert(_ error: SearchError, of key: PageKey, for life: Duration, now: Instant) {
        if failures.count >= Self.countMax, failures[key] == nil { failures = failures.filter { now < $1.until } }
        guard failures.count < Self.countMax || failures[key] != nil else { return }
        failures[key] = Failure(error: error, failedAt: now, until: now.advanced(by: life))
    }

    mutating func remove(_ key: PageKey) {
        failures[key] = nil
    }

    mutating func removeAll(where matches: (PageKey) -> Bool) {
        failures = failures.filter { !matches($0.key) }
    }
}
