import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

struct FreshnessTests {
    private let freshness = Freshness(ttl: .seconds(600), negativeTTL: .seconds(60))

    private func use(_ age: Duration, maxAge: Duration? = nil) -> Freshness.Use {
        freshness.use(fetchedAt: at(.zero), freshUntil: at(.seconds(600)), maxAge: maxAge, now: at(age))
    }

    @Test func `with age, a fresh page becomes stale, then a last resort, and finally unused`() {
        let tick = Duration.nanoseconds(1)
        #expect(use(.zero) == .fresh)
        #expect(use(.seconds(600) - tick) == .fresh)
        #expect(use(.seconds(600)) == .stale)
        #expect(use(.seconds(1200) - tick) == .stale)
        #expect(use(.seconds(1200)) == .lastResort)
        #expect(use(.seconds(600 + 86_400) - tick) == .lastResort)
        #expect(use(.seconds(600 + 86_400)) == .none)
    }

    @Test func `with a maximum age, a page is used exactly up to that age`() {
        let tick = Duration.nanoseconds(1)
        #expect(use(.seconds(30), maxAge: .seconds(30)) == .fresh)
        #expect(use(.seconds(30) + tick, maxAge: .seconds(30)) == .none)
        #expect(use(.seconds(700), maxAge: .seconds(700)) == .stale)
        #expect(use(.seconds(200_000), maxAge: .seconds(200_000)) == .stale)
        #expect(use(.seconds(700) + tick, maxAge: .seconds(700)) == .none)
        #expect(use(.zero, maxAge: .zero) == .none)
    }

    @Test func `an empty page is fresh for at most as long as a page with hits`() {
        #expect(freshness.freshUntil(isEmpty: true, fetchedAt: at(.zero)) == at(.seconds(60)))
        let brief = Freshness(ttl: .seconds(5), negativeTTL: .seconds(60))
        #expect(brief.freshUntil(isEmpty: true, fetchedAt: at(.zero)) == at(.seconds(5)))
        let endless = Freshness(ttl: .seconds(Int64.max), negativeTTL: .zero)
        #expect(endless.freshUntil(isEmpty: true, fetchedAt: at(.zero)) == at(.zero))
        let end = endless.freshUntil(isEmpty: false, fetchedAt: at(.seconds(1)))
        #expect(end == Instant(nanoseconds: .max))
    }

    @Test func `the cache time of a failure depends on its kind, and is at most negativeTTL`() {
        func life(_ kind: SearchError.Kind, retryAfter: Duration? = nil) -> Duration? {
            freshness.life(of: SearchError(kind, "x", retryAfter: retryAfter))
        }
        for kind: SearchError.Kind in [.unavailable, .timeout, .badResponse, .unauthorized] {
            #expect(life(kind) == .seconds(1))
        }
        for kind: SearchError.Kind in [.invalidParams, .notFound] { #expect(life(kind) == .seconds(60)) }
        for kind: SearchError.Kind in [.rateLimited, .quotaExhausted, .unavailable] {
            #expect(life(kind, retryAfter: .milliseconds(200)) == .milliseconds(200))
            #expect(life(kind, retryAfter: .seconds(60)) == .seconds(60))
            #expect(life(kind, retryAfter: .seconds(61)) == .seconds(60))
        }
        for kind: SearchError.Kind in [.cancelled, .superseded, .overloaded, .shuttingDown, .internal] {
            #expect(life(kind) == nil)
        }
    }
}
