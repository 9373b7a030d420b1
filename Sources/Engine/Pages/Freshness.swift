package import EventLoop
package import SearchModel

/// How long a page may be used: as fresh, then as stale while a new one is fetched, then if none can be got; pure.
package struct Freshness: Equatable, Sendable {
    /// How long after its time a page still answers while its source fails.
    package static let staleIfErrorMax = Duration.seconds(86_400)
    /// How long a failure is kept that may be over at any moment.
    package static let passingFailureTTL = Duration.seconds(1)

    /// How a page may be used.
    package enum Use: Equatable, Sendable {
        /// For an answer.
        case fresh
        /// For an answer, while a new one is fetched in the background.
        case stale
        /// For an answer when its source has none.
        case lastResort
        case none
    }

    /// Of a page with hits.
    package var ttl: Duration
    /// Of a page without hits, and the longest of a failure.
    package var negativeTTL: Duration

    /// When a page that is fetched now is no longer fresh.
    package func freshUntil(isEmpty: Bool, fetchedAt now: Instant) -> Instant {
        now.advanced(by: max(.zero, isEmpty ? min(ttl, negativeTTL) : ttl))
    }

    /// How a page may be used now.
    ///
    /// A caller who says how old an answer may be gets any page up to that age, and none that is older. Else a page
    /// is answered at once up to twice its life.
    package func use(fetchedAt: Instant, freshUntil: Instant, maxAge: Duration?, now: Instant) -> Use {
        if let maxAge {
            guard maxAge > .zero, fetchedAt.duration(to: now) <= maxAge else { return .none }
            return now < freshUntil ? .fresh : .stale
        }
        if now < freshUntil { return .fresh }
        if now < freshUntil.advanced(by: fetchedAt.duration(to: freshUntil)) { return .stale }
        return now < freshUntil.advanced(by: Self.staleIfErrorMax) ? .lastResort : .none
    }

    /// How long a failure answers the same request; nil if the next call may succeed.
    ///
    /// Only for answers of the source; an error before the call was sent concerns one caller only.
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
