import Catalogue
import SearchModel
import Testing

@testable import Engine

struct QuotaBookTests {
    private static let day = QuotaKey(owner: "a", name: "day")
    private static let own = QuotaKey(owner: "a.one", name: "own")

    private func ledger(limit: Int) -> QuotaLedger {
        QuotaLedger([(dayQuota(limit: limit), Self.day)])
    }

    /// Takes until it is refused; how many there were.
    private func takeAll(
        _ ledger: inout QuotaLedger,
        _ keys: [QuotaKey] = [day],
        isBackground: Bool = false,
        at time: QuotaTime
    ) -> Int {
        var count = 0
        while ledger.take(keys, isBackground: isBackground, at: time).charge != nil { count += 1 }
        return count
    }

    @Test(arguments: [1, 15, 16, 17, 1000, 1025])
    func `exactly as many calls are allowed as the quota has`(limit: Int) {
        var ledger = ledger(limit: limit)
        #expect(takeAll(&ledger, at: second(0)) == limit)
        #expect(takeAll(&ledger, at: second(86_399)) == 0)
        #expect(takeAll(&ledger, at: second(86_400)) == limit)
    }

    @Test func `who is refused learns when the quota begins anew`() throws {
        var ledger = ledger(limit: 1)
        _ = ledger.take([Self.day], at: second(0))
        let refusal = try #require(ledger.take([Self.day], at: second(3600)).refusal)
        #expect(refusal.quota == "day")
        #expect(refusal.resetsAt.text == "2024-03-10T00:00:00Z")
        #expect(refusal.wait == 82_800)
        #expect(refusal.reason == .used)
    }

    @Test func `that the last unit is gone is known before the ledger is asked for another`() throws {
        var ledger = ledger(limit: 2)
        for _ in 0..<2 {
            #expect(ledger.book.refusal([Self.day], isBackground: false, at: second(10)) == nil)
            _ = ledger.take([Self.day], at: second(10))
        }
        let refusal = try #require(ledger.book.refusal([Self.day], isBackground: false, at: second(3600)))
        #expect(refusal.wait == 82_800 && refusal.reason == .used)
        #expect(ledger.book.refusal([Self.day], isBackground: false, at: second(86_400)) == nil)
    }

    @Test func `an answer that grants nothing for a quota that was changed meanwhile gives nothing back`() {
        var book = QuotaBook()
        book.keep(dayQuota(limit: 10), as: Self.day)
        let wants = book.unread(at: second(0))
        book.keep(dayQuota(limit: 20), as: Self.day)
        let grant = QuotaGrant(count: 0, total: 3, resetsAt: 86_400, receipt: (), isGood: { _ in true })
        for want in wants { book.received(grant, for: want, at: second(0)) }
        #expect(wants.count == 1 && book.takeReturns().isEmpty)
    }

    @Test func `a lease is sixteen at most, and small for a small quota`() {
        for (limit, size) in [(1_000_000, 16), (1024, 16), (640, 10), (64, 1), (1, 1)] {
            var book = QuotaBook()
            book.keep(dayQuota(limit: limit), as: Self.day)
            guard case .wants(let wants) = book.take([Self.day], isBackground: false, at: second(0)) else {
                Issue.record("nothing was leased before it was used")
                continue
            }
            #expect(wants.map(\.count) == [size])
        }
    }

    @Test func `the ledger is not asked twice for the same`() {
        var book = QuotaBook()
        book.keep(dayQuota(limit: 100), as: Self.day)
        guard case .wants(let first) = book.take([Self.day], isBackground: false, at: second(0)) else { return }
        #expect(first.count == 1)
        #expect(book.take([Self.day], isBackground: false, at: second(0)) == .wants([]))
        book.failed(first[0], at: second(0))
        #expect(book.take([Self.day], isBackground: false, at: second(0)) == .wants(first))
    }

    @Test func `a call that was not sent costs nothing`() throws {
        var ledger = ledger(limit: 3)
        for _ in 0..<100 {
            let charge = try #require(ledger.take([Self.day], at: second(0)).charge)
            ledger.book.giveBack(charge, at: second(0))
        }
        #expect(takeAll(&ledger, at: second(0)) == 3)
    }

    @Test func `two sources share the account's quota and each has its own`() {
        let other = QuotaKey(owner: "a.two", name: "own")
        var ledger = QuotaLedger([
            (dayQuota(limit: 50), Self.day), (dayQuota("own", limit: 30, scope: .source), Self.own),
            (dayQuota("own", limit: 30, scope: .source), other),
        ])
        #expect(takeAll(&ledger, [Self.day, Self.own], at: second(0)) == 30)
        #expect(takeAll(&ledger, [Self.day, other], at: second(0)) == 20)
        #expect(ledger.book.figures(other, at: second(0))?.left == 10)
    }

    @Test func `a quota that is used up takes nothing of the others`() {
        var ledger = QuotaLedger([
            (dayQuota(limit: 50), Self.day), (dayQuota("own", limit: 1, scope: .source), Self.own),
        ])
        #expect(takeAll(&ledger, [Self.day, Self.own], at: second(0)) == 1)
        #expect(ledger.book.figures(Self.day, at: second(0))?.used == 1)
    }

    @Test func `after a crash no more than a lease is lost, and nothing is allowed twice`() {
        for used in 0..<40 {
            var ledger = ledger(limit: 1024)
            for _ in 0..<used { _ = ledger.take([Self.day], at: second(0)) }
            ledger.crash(at: second(0))
            #expect(ledger.lost <= QuotaBook.leaseMax)
            #expect(takeAll(&ledger, at: second(0)) == 1024 - used - ledger.lost)
        }
    }

    @Test func `a kill loses what was about to be sent and nothing else, and one before any use nothing`() {
        for used in 0..<40 {
            var ledger = ledger(limit: 1024)
            for _ in 0..<used { _ = ledger.take([Self.day], at: second(0)) }
            let unsent = used % 3
            for _ in 0..<unsent { _ = ledger.take([Self.day], sends: false, at: second(0)) }
            for _ in 0..<3 {
                ledger.kill(at: second(0))
                for want in ledger.book.unread(at: second(0)) { ledger.answer(want, at: second(0)) }
            }
            #expect(ledger.charged[Self.day] == used + unsent)
            #expect(takeAll(&ledger, at: second(0)) == 1024 - used - unsent)
        }
    }

    @Test func `after an orderly end nothing is lost`() {
        var ledger = ledger(limit: 1024)
        for _ in 0..<5 { _ = ledger.take([Self.day], at: second(0)) }
        ledger.restart(at: second(0))
        #expect(takeAll(&ledger, at: second(0)) == 1019)
    }

    @Test func `background work leaves a tenth to the others`() {
        var ledger = ledger(limit: 1000)
        var calls = 0
        var time: Int64 = 0
        while let taken = Optional(ledger.take([Self.day], isBackground: true, at: second(time))), time < 86_400 {
            if let refusal = taken.refusal {
                if refusal.reason == .reserved { break }
                #expect(refusal.reason == .paced)
                time += refusal.wait
            } else {
                calls += 1
            }
        }
        #expect(calls <= 900)
        let rest = takeAll(&ledger, at: second(86_399))
        #expect(rest == 1000 - calls)
        #expect(ledger.take([Self.day], isBackground: true, at: second(86_399)).refusal?.reason == .used)
    }

    @Test(arguments: [(10, 9), (15, 13), (1, 0), (100, 90)])
    func `background work may have all but the last tenth, spread over the day`(limit: Int, background: Int) {
        var ledger = ledger(limit: limit)
        let calls = stride(from: 0, to: 86_400, by: 60).filter {
            ledger.take([Self.day], isBackground: true, at: second($0)).charge != nil
        }
        #expect(calls.count == background)
        if background > 1 { #expect(calls[background / 2] > 86_400 * 2 / 5) }
    }

    @Test func `a unit that comes back after its period is the ledger's affair`() throws {
        var ledger = ledger(limit: 1)
        let charge = try #require(ledger.take([Self.day], at: second(86_399)).charge)
        #expect(ledger.take([Self.day], at: second(86_400)).charge != nil)
        ledger.book.giveBack(charge, at: second(86_400))
        #expect(ledger.take([Self.day], at: second(86_401)).refusal?.reason == .used)
        let setBack = QuotaTime(steady: 90_000, wall: second(86_399).wall)
        #expect(ledger.take([Self.day], at: setBack).charge != nil)
    }

    @Test func `a quota that is used up is asked about again now and then`() throws {
        var book = QuotaBook()
        book.keep(dayQuota(limit: 100), as: Self.day)
        guard case .wants(let wants) = book.take([Self.day], isBackground: false, at: second(0)) else { return }
        let nothing = QuotaGrant(count: 0, total: 100, resetsAt: second(86_400).wall, receipt: 0) { _ in true }
        book.received(nothing, for: wants[0], at: second(0))
        #expect(book.take([Self.day], isBackground: false, at: second(59)).refusal?.wait == 86_341)
        #expect(book.take([Self.day], isBackground: false, at: second(60)) == .wants(wants))
    }

    @Test func `background work is slowed when the quota would not last, and others are not`() throws {
        var ledger = ledger(limit: 1000)
        for _ in 0..<100 { _ = ledger.take([Self.day], at: second(0)) }
        _ = ledger.take([Self.day], isBackground: true, at: second(1))
        let refusal = try #require(ledger.take([Self.day], isBackground: true, at: second(2)).refusal)
        #expect(refusal.reason == .paced)
        // What is left but for the tenth, spread over the day.
        #expect((100...110).contains(refusal.wait))
        #expect(ledger.take([Self.day], at: second(2)).charge != nil)
        #expect(ledger.take([Self.day], isBackground: true, at: second(2 + refusal.wait)).charge != nil)
    }

    @Test func `a quota is forecast to end at its pace, or to last`() throws {
        var ledger = ledger(limit: 1000)
        #expect(ledger.book.figures(Self.day, at: second(0))?.forecast == nil)
        // One a second: 600 are left for as many seconds.
        for past in 0..<400 { _ = ledger.take([Self.day], at: second(Int64(past))) }
        let told = ledger.book.figures(Self.day, at: second(400))
        let figures = try #require(told)
        #expect(figures.used == 400)
        #expect(figures.left == 600)
        let forecast = try #require(figures.forecast)
        #expect(forecast.epochSeconds > second(400).wall + 599)
        #expect(forecast.epochSeconds < figures.resetsAt.epochSeconds)
        #expect(ledger.book.figures(Self.day, at: second(80_000))?.forecast == nil)
    }

    @Test func `what earlier runs used is told before anything is used`() throws {
        var ledger = ledger(limit: 1024)
        for _ in 0..<20 { _ = ledger.take([Self.day], at: second(0)) }
        ledger.restart(at: second(0))
        for want in ledger.book.unread(at: second(1)) { ledger.answer(want, at: second(1)) }
        #expect(ledger.book.figures(Self.day, at: second(1))?.used == 20)
        #expect(ledger.book.unread(at: second(1)).isEmpty)
    }

    @Test func `another limit counts what was used`() {
        var ledger = ledger(limit: 1024)
        #expect(takeAll(&ledger, at: second(0)) == 1024)
        ledger.book.keep(dayQuota(limit: 1040), as: Self.day)
        #expect(takeAll(&ledger, at: second(0)) == 16)
    }
}
