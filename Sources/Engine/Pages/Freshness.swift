package import EventLoop
package import SearchModel

/// How long a page may be used: first as fresh, then as stale during a refresh, then as a fallback.
package struct Freshness: Equatable, Sendable {
    /// How long after its lifetime a page may still be used while its source fails.
    package static let staleIfErrorMax = Duration.seconds(86_400)
    /// How long to cache a failure that may end at any moment.
    package static let passingFailureTTL = Duration.seconds(1)

    /// How a page may be used.
    package enum Use: Equatable, Sendable {
        /// Used as an answer.
        case fresh
        /// Used as an answer, while a new page is fetched in the background.
        case stale
        /// Used as an answer only if the source fails.
        case lastResort
        case none
    }

    /// The lifetime of a page with hits.
    package var ttl: Duration
    /// The lifetime of a page without hits, and the maximum lifetime of a failure.
    package var negativeTTL: Duration

    /// Returns when a page fetched now becomes stale.
    package func freshUntil(isEmpty: Bool, fetchedAt now: Instant) -> Instant {
        now.advanced(by: max(.zero, isEmpty ? min(ttl, negativeTTL) : ttl))
    }

    /// Returns how a page may be used now.
    ///
    /// A caller with a maximum age gets any page up to that age, and no older page. Without a maximum age, a page is
    /// used without waiting until it is twice as old as its lifetime.
    package func use(fetchedAt: Instant, freshUntil: Instant, maxAge: Duration?, now: Instant) -> Use {
        if let maxAge {
            guard maxAge > .zero, fetchedAt.duration(to: now) <= maxAge else { return .none }
            return now < freshUntil ? .fresh : .stale
        }
        if now < freshUntil { return .fresh }
        if now < freshUntil.advanced(by: fetchedAt.duration(to: freshUntil)) { return .stale }
        return now < freshUntil.advanced(by: Self.staleIfErrorMax) ? .lastResort : .none
    }

    /// Returns how long a failure is cached for the same request, or nil if the next call may succeed.
    ///
    /// Use this only for calls that were sent. An error before that concerns only one caller.
    package func life(of error: SearchError) -> Duration? {
        switch error.kind {
        case .invalidParams, .notFound: negativeTTL
        case .rateLimited, .quotaExhausted, .unavailable, .timeout, .badResponse, .unauthorized, .forbidden:
            min(negativeTTL, error.retryAfter ?? Self.passingFailureTTL)
        default: nil
        }
    }

    /// Whether a stale page is a better answer than this failure.
    package static func prefersStale(to error: SearchError) -> Bool {
        switch error.kind {
        case .unavailable, .timeout, .badResponse, .rateLimited, .quotaExhausted, .overloaded: true
        default: false
        }
    }
}
