import EventLoop
import SearchTestSupport
import Testing

@testable import Engine

@Suite struct PageTimesTests {
    private let times = PageTimes(now: at(.seconds(1000)), wall: 5_000_000_000_000)

    @Test func `a time comes back as it was, however the runs' clocks began`() {
        let written = times.wall(at: at(.seconds(990)))
        let later = PageTimes(now: at(.seconds(3)), wall: times.wall + 20_000_000_000)
        #expect(later.instant(fetchedAt: written) == at(.seconds(-27)))
    }

    @Test func `a page keeps what is left of its life`() {
        let fetched = times.wall(at: at(.seconds(990)))
        let fresh = times.wall(at: at(.seconds(1060)))
        let later = PageTimes(now: at(.seconds(3)), wall: times.wall + 20_000_000_000)
        #expect(later.instant(freshUntil: fresh, fetchedAt: fetched) == at(.seconds(43)))
    }

    @Test func `after the clock was set back a page is new, and no fresher than it ever was`() {
        let fetched = times.wall(at: at(.seconds(1000)))
        let fresh = times.wall(at: at(.seconds(1070)))
        let earlier = PageTimes(now: at(.seconds(3)), wall: times.wall - 3_600_000_000_000)
        #expect(earlier.instant(fetchedAt: fetched) == at(.seconds(3)))
        #expect(earlier.instant(freshUntil: fresh, fetchedAt: fetched) == at(.seconds(73)))
    }

    @Test func `the ends of time stay the ends`() {
        let end = times.wall(at: Instant(nanoseconds: .max))
        #expect(times.instant(freshUntil: end, fetchedAt: times.wall) >= at(.seconds(1 << 32)))
        #expect(times.instant(fetchedAt: .min) <= at(.zero))
        #expect(times.instant(freshUntil: .min, fetchedAt: .max) <= times.now)
        #expect(times.instant(freshUntil: .max, fetchedAt: .min) <= times.now)
    }
}
