import EventLoop
import TestSupport
import Testing

@testable import Upstream

/// Limits of rate, on traces that look for their edges.
struct RateCellPropertyTests {
    /// Whether a limiter lets a call go, and else after how many nanoseconds it would.
    private typealias Limiter = (_ now: Int64) -> Int64?

    private struct Verdicts {
        var admitted = 0
        var windowsExceeded = 0
        var waitsWrong = 0
        var differences = 0
    }

    private static let shapes: [(interval: Int64, burst: Int)] = [
        (1, 1), (1, 7), (1000, 1), (1000, 3), (333_333_334, 12), (102_000_000, 10), (7, 100), (1_000_000_007, 2),
    ]

    /// Instants that never go back: crowds, pauses, and what comes just before and just when it may.
    private static func gap(_ interval: Int64, _ wait: Int64?, _ random: inout SeededGenerator) -> Int64 {
        switch UInt8.random(in: 0..<16, using: &random) {
        case 0..<5: 0
        case 5: 1
        case 6, 7: wait ?? interval
        case 8: max((wait ?? interval) - 1, 0)
        case 9: interval
        case 10: max(interval - 1, 0)
        case 11: interval + 1
        case 12, 13: Int64.random(in: 0...interval, using: &random)
        case 14: Int64.random(in: 0...interval * 20, using: &random)
        default: interval * Int64.random(in: 0...4, using: &random)
        }
    }

    /// Runs a limiter beside a token bucket and looks at all windows.
    private static func run(
        _ limiter: Limiter,
        interval: Int64,
        burst: Int,
        events: Int,
        _ random: inout SeededGenerator
    ) -> Verdicts {
        var verdicts = Verdicts()
        var windows = WindowCheck(interval: interval, burst: burst)
        var bucket = TokenBucket(interval: interval, burst: burst)
        var now: Int64 = 1_000_000
        var lastWait: Int64?
        var promised: Int64?
        for _ in 0..<events {
            now += gap(interval, lastWait, &random)
            let wait = limiter(now)
            if wait != bucket.wait(at: now) { verdicts.differences += 1 }
            if let promised, (wait == nil) != (now >= promised) { verdicts.waitsWrong += 1 }
            promised = wait.map { now + $0 }
            lastWait = wait
            guard wait == nil else { continue }
            verdicts.admitted += 1
            if !windows.holds(withAdmissionAt: now) { verdicts.windowsExceeded += 1 }
        }
        return verdicts
    }

    @Test func `no window holds too much, every wait is exact, and a token bucket agrees`() {
        var random = SeededGenerator(seed: testSeed())
        let events = testEvents(200_000) / Self.shapes.count
        var admitted = 0
        for (interval, burst) in Self.shapes {
            var cell = RateCell(interval: interval, burst: burst)
            let verdicts = Self.run(
                { cell.wait(at: $0) },
                interval: interval,
                burst: burst,
                events: events,
                &random
            )
            #expect(verdicts.admitted > events / 10)
            #expect(verdicts.windowsExceeded == 0)
            #expect(verdicts.waitsWrong == 0)
            #expect(verdicts.differences == 0)
            admitted += verdicts.admitted
        }
        let all = "\(events * Self.shapes.count) events at \(Self.shapes.count) rates"
        proved("\(all), \(admitted) admitted: 0 windows too full, 0 waits wrong, 0 differences from a token bucket")
    }

    @Test func `a limiter that counts by the clock's windows does not pass`() {
        var random = SeededGenerator(seed: testSeed())
        let (interval, burst): (Int64, Int) = (1000, 5)
        var window: Int64 = 0
        var count = 0
        let mutant: Limiter = { now in
            let length = interval * Int64(burst)
            if now / length != window { (window, count) = (now / length, 0) }
            count += 1
            return count <= burst ? nil : length - now % length
        }
        let verdicts = Self.run(mutant, interval: interval, burst: burst, events: 20_000, &random)
        #expect(verdicts.windowsExceeded > 0)
        #expect(verdicts.differences > 0)
        proved("fixed windows fail: \(verdicts.windowsExceeded) windows too full of 20000 events")
    }

    @Test func `a cell that gives too much by one nanosecond does not pass`() {
        var random = SeededGenerator(seed: testSeed())
        var cell = RateCell(interval: 999, burst: 5)
        let verdicts = Self.run({ cell.wait(at: $0) }, interval: 1000, burst: 5, events: 20_000, &random)
        #expect(verdicts.windowsExceeded > 0)
        proved("a nanosecond too much fails: \(verdicts.windowsExceeded) windows too full of 20000 events")
    }

    @Test func `what was given back has never been`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<max(testEvents(200_000) / 2000, 1) {
            let shape = Self.shapes[Int.random(in: 0..<Self.shapes.count, using: &random)]
            let differences = Self.compareWithReplay(shape.interval, shape.burst, &random)
            #expect(differences == 0)
        }
    }

    /// Admits, settles and gives back at random; how often the cell differs from one that was only told what was kept.
    private static func compareWithReplay(_ interval: Int64, _ burst: Int, _ random: inout SeededGenerator) -> Int {
        var cell = RateCell(interval: interval, burst: burst)
        var open: [RateCell.Permit] = []
        var kept: [(permit: RateCell.Permit, at: Int64)] = []
        var now: Int64 = 0
        var differences = 0
        for _ in 0..<60 {
            now += gap(interval, nil, &random)
            var replayed = RateCell(interval: interval, burst: burst)
            for admission in kept { _ = replayed.decide(at: Instant(nanoseconds: admission.at)) }
            let decision = cell.decide(at: Instant(nanoseconds: now))
            let expected = replayed.wait(at: now)
            if decision.wait != expected { differences += 1 }
            if let permit = decision.permit {
                open.append(permit)
                kept.append((permit, now))
            }
            guard let chosen = open.indices.randomElement(using: &random) else { continue }
            switch UInt8.random(in: 0..<4, using: &random) {
            case 0: cell.settle(open.remove(at: chosen))
            case 1:
                let permit = open.remove(at: chosen)
                cell.giveBack(permit)
                kept.removeAll { $0.permit == permit }
            default: break
            }
        }
        return differences
    }
}

extension RateCell {
    /// Admits and settles, or says for how long not.
    fileprivate mutating func wait(at now: Int64) -> Int64? {
        let decision = decide(at: Instant(nanoseconds: now))
        if let permit = decision.permit { settle(permit) }
        return decision.wait
    }
}

extension RateCell.Decision {
    fileprivate var wait: Int64? {
        if case .refused(let wait) = self { wait.saturatingNanoseconds } else { nil }
    }
}

/// Whether all windows between two admissions hold no more than burst + length / interval, in one pass.
///
/// The window from admission i to j holds too many exactly when (j · interval − t(j)) − (i · interval − t(i)) is more
/// than (burst − 1) · interval; so the least value so far stands for all of them.
private struct WindowCheck {
    let interval: Int64
    let burst: Int
    private var count: Int64 = 0
    private var least = Int64.max

    init(interval: Int64, burst: Int) {
        self.interval = interval
        self.burst = burst
    }

    mutating func holds(withAdmissionAt instant: Int64) -> Bool {
        let value = count * interval - instant
        count += 1
        least = min(least, value)
        return value - least <= Int64(burst - 1) * interval
    }
}

/// A bucket into which a nanosecond's worth of credit falls each nanosecond, in whole numbers.
private struct TokenBucket {
    let interval: Int64
    let capacity: Int64
    private var credit: Int64
    private var filledAt: Int64 = 0

    init(interval: Int64, burst: Int) {
        self.interval = interval
        capacity = interval * Int64(burst)
        credit = capacity
    }

    /// Takes a token, or says how long there is none.
    mutating func wait(at now: Int64) -> Int64? {
        credit = min(credit + (now - filledAt), capacity)
        filledAt = now
        guard credit >= interval else { return interval - credit }
        credit -= interval
        return nil
    }
}
