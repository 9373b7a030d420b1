import Catalogue
import TestSupport
import Testing

@testable import Engine

/// Quotas under what may happen to a machine; what the right time is after the clock was set is the ledger's affair.
struct QuotaBookRandomTests {
    private static let month = QuotaKey(owner: "a", name: "month")
    private static let day = QuotaKey(owner: "a", name: "day")
    private static let ones = QuotaKey(owner: "a.one", name: "ones")
    private static let twos = QuotaKey(owner: "a.two", name: "twos")

    private static let quotas: [(quota: Quota, key: QuotaKey)] = [
        (
            Quota(name: "month", limit: 3000, period: .month, scope: .account, zone: .fixed(minutes: 540)),
            month
        ),
        (
            Quota(name: "day", limit: 200, period: .day, scope: .account, resetMinute: 60, zone: .fixed(minutes: 540)),
            day
        ),
        (Quota(name: "ones", limit: 120, period: .day, scope: .source, zone: .pacific), ones),
        (Quota(name: "twos", limit: 50, period: .hour, scope: .source, zone: .fixed(minutes: 0)), twos),
    ]

    /// What of a machine goes wrong in a run.
    struct Trouble: Sendable {
        var crashes = false
        /// Every process is killed, and the machine goes on.
        var kills = false
        /// Somebody sets the clock.
        var steps = false
    }

    /// Counts calls by the periods of a clock; the most that one held.
    private struct Counts {
        private struct Period: Hashable {
            let key: QuotaKey
            let begin: Int64
        }

        private var counts: [Period: Int] = [:]
        private(set) var exceeded = 0

        mutating func count(_ quota: Quota, _ key: QuotaKey, at wall: Int64, _ change: Int = 1) {
            let period = Period(key: key, begin: quota.period(at: wall).lowerBound)
            counts[period, default: 0] += change
            if counts[period, default: 0] > quota.limit { exceeded += 1 }
        }
    }

    private struct Run {
        /// By the clock that is right, and by the clock of the machine.
        var truly = Counts()
        var apparently = Counts()
        var calls = 0
        var refusals = 0
        var crashes = 0
        /// The most units of one quota that one crash has lost.
        var lostMost = 0
        /// Units of each quota that were sent, and those that were about to be when their process was killed.
        var sent: [QuotaKey: Int] = [:]
        var lostByKills: [QuotaKey: Int] = [:]
        /// What the ledger counts in the end.
        var charged: [QuotaKey: Int] = [:]
    }

    /// A call that has its units, and when it got them.
    private struct Begun {
        let charge: QuotaBook.Charge
        let keys: [QuotaKey]
        let truth: Int64
        let wall: Int64
    }

    /// Calls of two sources, at random times, of which some are sent late and some are not sent.
    private static func run(_ trouble: Trouble, events: Int, _ random: inout SeededGenerator) -> Run {
        var run = Run()
        var ledger = QuotaLedger(quotas)
        var truth: Int64 = 1_709_942_400 + Int64.random(in: 0...40_000_000, using: &random)
        let boot = truth - Int64.random(in: 0...1_000_000, using: &random)
        var error: Int64 = 0
        var begun: [Begun] = []
        for _ in 0..<events {
            truth += gap(&random)
            if trouble.steps, Int.random(in: 0..<400, using: &random) == 0 {
                error = error == 0 ? [-26, 26, 13, -5].randomElement(using: &random).map { $0 * 3600 } ?? 0 : 0
            }
            if trouble.crashes, Int.random(in: 0..<300, using: &random) == 0 {
                end(&ledger, &begun, &run, isCrash: Bool.random(using: &random), at: truth - boot, truth + error)
            }
            let time = QuotaTime(steady: truth - boot, wall: truth + error)
            if trouble.kills, Int.random(in: 0..<100, using: &random) == 0 {
                run.crashes += 1
                for key in begun.flatMap(\.keys) { run.lostByKills[key, default: 0] += 1 }
                begun = []
                ledger.kill(at: time)
            }
            if Bool.random(using: &random) { ledger.answerAhead(at: time) }
            while begun.count > Int.random(in: 0..<12, using: &random) {
                settle(begun.removeFirst(), wasSent: Int.random(in: 0..<5, using: &random) > 0, &ledger, &run, time)
            }
            let own = Bool.random(using: &random) ? ones : twos
            let keys = [month, day, own]
            guard
                let charge = ledger.take(
                    keys,
                    isBackground: Int.random(in: 0..<4, using: &random) == 0,
                    sends: false,
                    at: time
                ).charge
            else {
                run.refusals += 1
                continue
            }
            begun.append(Begun(charge: charge, keys: keys, truth: truth, wall: time.wall))
        }
        run.lostMost = ledger.lostMost
        let time = QuotaTime(steady: truth - boot, wall: truth + error)
        for call in begun { settle(call, wasSent: false, &ledger, &run, time) }
        ledger.restart(at: time)
        run.charged = ledger.charged
        return run
    }

    /// A call goes out, and counts from when it got its units, or does not.
    private static func settle(
        _ call: Begun,
        wasSent: Bool,
        _ ledger: inout QuotaLedger,
        _ run: inout Run,
        _ time: QuotaTime
    ) {
        guard wasSent else { return ledger.book.giveBack(call.charge, at: time) }
        ledger.book.sent(call.charge)
        run.calls += 1
        for (quota, key) in quotas where call.keys.contains(key) {
            run.truly.count(quota, key, at: call.truth)
            run.apparently.count(quota, key, at: call.wall)
            run.sent[key, default: 0] += 1
        }
    }

    /// The process ends, in good order or with calls that have not been sent.
    private static func end(
        _ ledger: inout QuotaLedger,
        _ begun: inout [Begun],
        _ run: inout Run,
        isCrash: Bool,
        at steady: Int64,
        _ wall: Int64
    ) {
        let time = QuotaTime(steady: steady, wall: wall)
        run.crashes += 1
        if isCrash {
            // Those of a period that is over are lost for nobody.
            var unsent: [QuotaKey: Int] = [:]
            for (quota, key) in quotas {
                unsent[key] = begun.count { $0.keys.contains(key) && quota.period(at: wall).contains($0.wall) }
            }
            ledger.crash(unsent: unsent, at: time)
        } else {
            for call in begun { settle(call, wasSent: false, &ledger, &run, time) }
            ledger.restart(at: time)
        }
        begun = []
    }

    private static func gap(_ random: inout SeededGenerator) -> Int64 {
        switch Int.random(in: 0..<200, using: &random) {
        case 0: Int64.random(in: 0...40_000, using: &random)
        case 1..<40: Int64.random(in: 0...300, using: &random)
        default: Int64.random(in: 0...2, using: &random)
        }
    }

    private static let events = max(testEvents(200_000) / 20, 1000)

    @Test func `over days of use nothing is exceeded and all is used`() {
        var random = SeededGenerator(seed: testSeed())
        let run = Self.run(Trouble(), events: Self.events * 4, &random)
        #expect(run.truly.exceeded == 0)
        #expect(run.calls > 500)
        #expect(run.refusals > 100)
        proved("days of use: \(run.calls) calls and \(run.refusals) refusals, no period exceeded")
    }

    @Test func `over crashes nothing is exceeded and each loses a lease a quota at most`() {
        var random = SeededGenerator(seed: testSeed())
        let run = Self.run(Trouble(crashes: true), events: Self.events * 4, &random)
        #expect(run.truly.exceeded == 0)
        #expect(run.crashes > 10)
        #expect(run.lostMost > 0 && run.lostMost <= QuotaBook.leaseMax)
        proved("\(run.crashes) ends: \(run.calls) calls, no period exceeded, \(run.lostMost) units lost by one at most")
    }

    @Test func `over kills nothing is exceeded and nothing is lost but what was about to be sent`() {
        var random = SeededGenerator(seed: testSeed())
        let run = Self.run(Trouble(kills: true), events: Self.events * 4, &random)
        #expect(run.truly.exceeded == 0)
        #expect(run.crashes > 10)
        #expect(run.charged == run.sent.merging(run.lostByKills, uniquingKeysWith: +))
        let lost = run.lostByKills.values.reduce(0, +)
        proved("\(run.crashes) kills: \(run.calls) calls, no period exceeded, \(lost) units lost, all about to be sent")
    }

    @Test func `with crashes and a clock that is set to and fro nothing is exceeded by that clock`() {
        var random = SeededGenerator(seed: testSeed())
        let run = Self.run(Trouble(crashes: true, steps: true), events: Self.events * 4, &random)
        #expect(run.apparently.exceeded == 0)
        #expect(run.calls > 100)
        proved("\(run.crashes) ends and a clock that is set: \(run.calls) calls, no period of that clock exceeded")
    }
}
