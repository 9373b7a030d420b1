import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import Testing
import Upstream

@testable import Engine

struct KnownFailuresTests {
    private let limited = SearchError(.rateLimited, "too fast", retryAfter: .seconds(10))

    @Test func `a failure is told until its time is over, with what is left of its pause`() {
        var failures = KnownFailures()
        failures.insert(limited, of: pageKey(), for: .seconds(8), now: at(.seconds(1)))
        #expect(failures.failure(of: pageKey(), now: at(.seconds(1))) == limited)
        #expect(failures.failure(of: pageKey(), now: at(.seconds(4)))?.retryAfter == .seconds(7))
        #expect(failures.failure(of: pageKey(), now: at(.seconds(9) - .nanoseconds(1))) != nil)
        #expect(failures.failure(of: pageKey(), now: at(.seconds(9))) == nil)
        #expect(failures.failure(of: pageKey(page: 1), now: at(.seconds(1))) == nil)
    }

    @Test func `what is removed is forgotten`() {
        var failures = KnownFailures()
        for number in 0..<4 { failures.insert(limited, of: pageKey(page: number), for: .seconds(8), now: at(.zero)) }
        failures.remove(pageKey(page: 0))
        failures.removeAll { $0.request.page == 1 }
        #expect(failures.count == 2)
        #expect(failures.failure(of: pageKey(page: 0), now: at(.zero)) == nil)
        #expect(failures.failure(of: pageKey(page: 1), now: at(.zero)) == nil)
        #expect(failures.failure(of: pageKey(page: 2), now: at(.zero)) != nil)
    }

    @Test func `4,096 are kept, and one more only in place of one whose time is over`() {
        var failures = KnownFailures()
        let max = KnownFailures.countMax
        for number in 0..<max {
            let life = Duration.seconds(number == 0 ? 1 : 100)
            failures.insert(limited, of: pageKey(page: number), for: life, now: at(.zero))
        }
        failures.insert(limited, of: pageKey(page: max), for: .seconds(100), now: at(.zero))
        #expect(failures.count == max)
        #expect(failures.failure(of: pageKey(page: max), now: at(.zero)) == nil)
        // One that is known may change at any time.
        failures.insert(SearchError(.notFound, "x"), of: pageKey(page: 5), for: .seconds(100), now: at(.zero))
        #expect(failures.failure(of: pageKey(page: 5), now: at(.zero))?.kind == .notFound)
        failures.insert(limited, of: pageKey(page: max), for: .seconds(100), now: at(.seconds(1)))
        #expect(failures.count == max)
        #expect(failures.failure(of: pageKey(page: max), now: at(.seconds(1))) != nil)
    }
}
