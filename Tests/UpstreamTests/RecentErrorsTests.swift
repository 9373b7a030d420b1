import SearchModel
import SearchTestSupport
import Testing

@testable import Upstream

struct RecentErrorsTests {
    @Test func `errors of one source and class are counted together, the newest first`() {
        var errors = RecentErrors()
        errors.add(sourceName("a.one"), .timeout, at: 100)
        errors.add(sourceName("a.two"), .timeout, at: 101)
        errors.add(sourceName("a.one"), .unavailable, at: 102)
        errors.add(sourceName("a.one"), .timeout, at: 103)
        #expect(errors.entries.map(\.source.text) == ["a.one", "a.one", "a.two"])
        #expect(errors.entries.map(\.kind) == [.timeout, .unavailable, .timeout])
        #expect(errors.entries.map(\.count) == [2, 1, 1])
        #expect(errors.entries.first?.firstAt == 100)
        #expect(errors.entries.first?.lastAt == 103)
    }

    @Test func `one that comes long after its like is another one`() {
        var errors = RecentErrors()
        errors.add(sourceName("a.one"), .timeout, at: 0)
        errors.add(sourceName("a.one"), .timeout, at: RecentErrors.pauseSecondsMax)
        #expect(errors.entries.map(\.count) == [2])
        errors.add(sourceName("a.one"), .timeout, at: 2 * RecentErrors.pauseSecondsMax + 1)
        #expect(errors.entries.map(\.count) == [1, 2])
    }

    @Test func `as many are kept as may be, and the oldest goes`() {
        var errors = RecentErrors()
        for number in 0..<RecentErrors.entriesMax { errors.add(sourceName("a.s\(number)"), .timeout, at: 0) }
        #expect(errors.entries.count == RecentErrors.entriesMax)
        #expect(errors.entries.last?.source.text == "a.s0")
        errors.add(sourceName("a.new"), .timeout, at: 1)
        #expect(errors.entries.count == RecentErrors.entriesMax)
        #expect(errors.entries.last?.source.text == "a.s1")
    }
}
