import EventLoop
import Testing

@testable import Upstream

struct RateCellTests {
    private var cell = RateCell(interval: 100, burst: 3)

    private func instant(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test mutating func `after a pause a burst goes at once and no more`() {
        for _ in 0..<3 { #expect(cell.decide(at: instant(1000)).isAdmitted) }
        #expect(cell.decide(at: instant(1000)) == .refused(retryAfter: .nanoseconds(100)))
    }

    @Test mutating func `a call that is refused is admitted after exactly what it was told`() {
        for _ in 0..<3 { _ = cell.decide(at: instant(1000)) }
        #expect(cell.decide(at: instant(1030)) == .refused(retryAfter: .nanoseconds(70)))
        #expect(cell.decide(at: instant(1099)) == .refused(retryAfter: .nanoseconds(1)))
        #expect(cell.decide(at: instant(1100)).isAdmitted)
        #expect(cell.decide(at: instant(1100)) == .refused(retryAfter: .nanoseconds(100)))
    }

    @Test mutating func `a burst grows again with time`() {
        for _ in 0..<3 { _ = cell.decide(at: instant(0)) }
        for _ in 0..<2 { #expect(cell.decide(at: instant(200)).isAdmitted) }
        #expect(!cell.decide(at: instant(200)).isAdmitted)
        for _ in 0..<3 { #expect(cell.decide(at: instant(10_000)).isAdmitted) }
        #expect(!cell.decide(at: instant(10_000)).isAdmitted)
    }

    @Test mutating func `a spare call leaves half of a burst, or of a rate without one three parts of four`() {
        #expect(cell.spare(at: instant(1000)) == instant(1000))
        for _ in 0..<2 { _ = cell.decide(at: instant(1000)) }
        #expect(cell.spare(at: instant(1000)) == instant(1100))
        #expect(cell.spare(at: instant(1100)) == instant(1100))
        var single = RateCell(interval: 100, burst: 1)
        #expect(single.spare(at: instant(1000)) == instant(1000))
        _ = single.decide(at: instant(1000))
        #expect(single.spare(at: instant(1000)) == instant(1400))
    }

    @Test mutating func `what waits in line is told its own turn`() {
        #expect(cell.earliest(at: instant(500)) == instant(500))
        #expect(cell.earliest(at: instant(500), behind: 2) == instant(500))
        #expect(cell.earliest(at: instant(500), behind: 3) == instant(600))
        for _ in 0..<3 { _ = cell.decide(at: instant(500)) }
        #expect(cell.earliest(at: instant(550)) == instant(600))
        #expect(cell.earliest(at: instant(550), behind: 4) == instant(1000))
        #expect(cell.earliest(at: instant(550), behind: .max) == Instant(nanoseconds: .max))
    }

    @Test mutating func `an admission that was not used is there for the next`() throws {
        let permits = (0..<3).compactMap { _ in cell.decide(at: instant(0)).permit }
        #expect(!cell.decide(at: instant(0)).isAdmitted)
        cell.giveBack(try #require(permits.first))
        #expect(cell.decide(at: instant(0)).isAdmitted)
        #expect(!cell.decide(at: instant(0)).isAdmitted)
    }

    @Test mutating func `an admission is given back once, and not after the call was sent`() throws {
        let permits = (0..<3).compactMap { _ in cell.decide(at: instant(0)).permit }
        cell.giveBack(permits[0])
        cell.giveBack(permits[0])
        cell.settle(permits[1])
        cell.giveBack(permits[1])
        #expect(cell.decide(at: instant(0)).isAdmitted)
        #expect(!cell.decide(at: instant(0)).isAdmitted)
    }

    @Test mutating func `what comes back late is not added to a cell that is full without it`() throws {
        let early = try #require(cell.decide(at: instant(0)).permit)
        // By then a cell that had never admitted anything would be as full.
        for _ in 0..<1 { _ = cell.decide(at: instant(100)) }
        cell.giveBack(early)
        for _ in 0..<2 { #expect(cell.decide(at: instant(100)).isAdmitted) }
        #expect(!cell.decide(at: instant(100)).isAdmitted)
    }

    @Test mutating func `a rate that is changed keeps what was admitted`() {
        for _ in 0..<3 { _ = cell.decide(at: instant(0)) }
        cell.change(interval: 200, burst: 1)
        #expect(cell.decide(at: instant(0)) == .refused(retryAfter: .nanoseconds(300)))
    }
}

extension RateCell.Decision {
    var isAdmitted: Bool { permit != nil }

    var permit: RateCell.Permit? {
        if case .admitted(let permit) = self { permit } else { nil }
    }
}
