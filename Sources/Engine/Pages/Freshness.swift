package import EventLoop
package import SearchModel

/// How long what a source answered may be used: as fresh, then as stale while a new page is fetched, then as stale when
/// none can be got, then not at all.
///
/// Pure.
package struct Freshness: Equatable, Sendable {
    /// How long after its time a page still answers while its source fails.
    package static let staleIfErrorMax = Duration.seconds(86_400)
    /// How long a failure is kept that may be over at any moment.
    package static let passingFailureTTL = Duration.seconds(1)
    /// By which part of its life, at most, an entry's is cut at random, so that what was filled together does not
    /// expire together.
    package static let jitterShare = 4

    /// What a page is good for.
    package enum Use: Equatable, Sendable {
        /// For an answer.
        case fresh
        /// For an answer, while a new one is fetched behind it.
        case stale
        /// For an answer when its source has none.
        case lastResort
        case none
    }

    /// Of a page with hits.
    package var ttl: Duration
    /// Of a page without hits, and the longest of a failure.
    package var negativeTTL: Duration
    package var staleIfError: Duration

    package init(ttl: Duration, negativeTTL: Duration, staleIfError: Duration = Self.staleIfErrorMax) {
        self.ttl = ttl
        self.negativeTTL = negativeTTL
        self.staleIfError = staleIfError
    }

    /// When a page that was fetched now is no longer fresh: at most its time to live from now.
    ///
    /// `chance`, any number, all equally likely, decides how much of its life is cut.
    package func freshUntil(isEmpty: Bool, fetchedAt now: Instant, chance: UInt64) -> Instant {
        let life = max(.zero, isEmpty ? min(ttl, negativeTTL) : ttl)
        let longestCut = UInt64(life.saturatingNanoseconds) / UInt64(Self.jitterShare)
        let cut = Duration.nanoseconds(Int64(longestCut.multipliedFullWidth(by: chance).high))
        return now.advanced(by: life - cut)
    }

    /// What a page is good for now.
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
        return now < freshUntil.advanced(by: staleIfError) ? .lastResort : .none
    }

    /// How long a failure stands for the source's answer to the same request; nil when it says nothing of the next one.
    ///
    /// Only for what the source itself has answered; what a caller met before the call went out is that caller's own.
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
