package import EventLoop
package import SearchModel

/// Decides whether a cached page is fresh, stale, or usable only if its source fails.
package struct Freshness: Equatable, Sendable {
    package static let staleIfErrorMax = Duration.seconds(86_400)
    /// How long a temporary failure is cached if the source does not say when to retry.
    package static let passingFailureTTL = Duration.seconds(1)

    package enum Use: Equatable, Sendable {
        case fresh
        case stale
        case lastResort
        case none
    }

    package var ttl: Duration
    /// The lifetime of failures and of pages without hits.
    package var negativeTTL: Duration

    package func freshUntil(isEmpty: Bool, fetchedAt now: Instant) -> Instant {
        now.advanced(by: max(.zero, isEmpty ? min(ttl, negativeTTL) : ttl))
    }

    /// Decides how a page may be used; a page older than `maxAge` may not be used.
    ///
    /// If `maxAge` is nil, a page is fresh during its lifetime, and then stale for as long again.
    package func use(fetchedAt: Instant, freshUntil: Instant, maxAge: Duration?, now: Instant) -> Use {
        if let maxAge {
            guard maxAge > .zero, fetchedAt.duration(to: now) <= maxAge else { return .none }
            return now < freshUntil ? .fresh : .stale
        }
        if now < freshUntil { return .fresh }
        if now < freshUntil.advanced(by: fetchedAt.duration(to: freshUntil)) { return .stale }
        return now < freshUntil.advanced(by: Self.staleIfErrorMax) ? .lastResort : .none
    }

    package func life(of error: SearchError) -> Duration? {
        switch error.kind {
        case .invalidParams, .notFound: negativeTTL
        case .rateLimited, .quotaExhausted, .unavailable, .timeout, .badResponse, .unauthorized, .forbidden:
            min(negativeTTL, error.retryAfter ?? Self.passingFailureTTL)
        default: nil
        }
    }

    package static func prefersStale(to error: SearchError) -> Bool {
        switch error.kind {
        case .unavailable, .timeout, .badResponse, .rateLimited, .quotaExhausted, .overloaded: true
        default: false
        }
    }
}
