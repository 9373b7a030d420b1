import Catalogue
import EventLoop
import SearchModel
import TestSupport
import Testing

@testable import Engine

/// Units of quotas that are leased before anybody waits for them.
struct LeaseAheadTests {
    private static let account = """
        quotas: [
            { name: "a-day", limit: 5000, per: "day" }, { name: "a-month", limit: 100000, per: "month" },
            { name: "a-minute", limit: 6000, per: "minute" },
        ],
        """
    private static let day = QuotaKey(owner: "a", name: "day")

    @Test func `the first call waits for the ledger, and no later one does at a pace that the ledger can follow`()
        throws
    {
        let waits = try virtually { loop, _ in
            let quotas = Self.account.replacing(#"{ name: "a-minute", limit: 6000, per: "minute" },"#, with: "")
            let world = try await LimitedWorld(on: loop, account: quotas)
            try await world.sleep(.seconds(1))
            world.store.set(delay: .milliseconds(300))
            var waits: [Duration] = []
            for _ in 0..<200 {
                let askedAt = loop.now
                let admission = try await world.admit().get()
                waits.append(askedAt.duration(to: loop.now))
                await world.end(admission)
                try await world.sleep(.milliseconds(100))
            }
            return waits
        }
        #expect(waits.count == 200)
        #expect(waits.first == .milliseconds(300))
        #expect(waits.dropFirst().allSatisfy { $0 == .zero })
    }

    @Test func `at the start nothing is leased, and what was used is asked all at once`() throws {
        let (asked, used) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.account)
            try await world.sleep(.seconds(1))
            let standing = await world.limiter.standings()[sourceName("a.one")]
            return (world.store.leases.withLock { $0 }, standing?.quotas.map(\.used))
        }
        #expect(asked.count == 1)
        let counts = Dictionary(uniqueKeysWithValues: (asked.first ?? []).map { ($0.key.name, $0.count) })
        #expect(counts == ["a-day": 0, "a-month": 0, "a-minute": 0])
        #expect(used == [0, 0, 0])
    }

    @Test func `units whose use can't be noted are not used`() throws {
        var book = QuotaBook()
        book.keep(dayQuota(limit: 5000), as: Self.day)
        book.keep(dayQuota("own", limit: 5000), as: QuotaKey(owner: "a", name: "own"))
        let keys = [Self.day, QuotaKey(owner: "a", name: "own")]
        let notes = Locked<[String: Int]>([:])
        func answer(_ want: QuotaWant, isNoted: Bool) {
            let name = want.key.name
            let grant = QuotaGrant(
                count: want.count,
                total: want.count,
                resetsAt: second(86_400).wall,
                receipt: 0,
                use: { count in
                    guard isNoted else { return false }
                    notes.withLock { $0[name, default: 0] += count }
                    return true
                },
                isGood: { _ in true }
            )
            book.received(grant, for: want, at: second(0))
        }
        guard case .wants(let first) = book.take(keys, isBackground: false, at: second(0)) else {
            Issue.record("nothing was asked for")
            return
        }
        for want in first { answer(want, isNoted: want.key == Self.day) }
        guard case .wants(let more) = book.take(keys, isBackground: false, at: second(0)) else {
            Issue.record("a unit was used")
            return
        }
        #expect(more.map(\.key.name) == ["own"])
        #expect(notes.withLock { $0 } == ["day": 0])
        for want in more { answer(want, isNoted: true) }
        let charge = try #require(book.take(keys, isBackground: false, at: second(0)).charge)
        #expect(notes.withLock { $0 } == ["day": 1, "own": 1])
        book.giveBack(charge, at: second(0))
        #expect(notes.withLock { $0 } == ["day": 0, "own": 0])
        // What a source says is used up can't be taken up by another process.
        book.saidUsedUp([Self.day], for: 86_400, at: second(0))
        #expect(notes.withLock { $0 } == ["day": 16, "own": 0])
    }

    @Test func `no more than sixteen units are leased and not sent, whoever waits`() throws {
        var book = QuotaBook()
        book.keep(dayQuota(limit: 5000), as: Self.day)
        func answer(_ want: QuotaWant) -> QuotaGrant {
            QuotaGrant(count: want.count, total: want.count, resetsAt: second(86_400).wall, receipt: 0) { _ in true }
        }
        var charges: [QuotaBook.Charge] = []
        guard case .wants(let first) = book.take([Self.day], isBackground: false, at: second(0)) else {
            Issue.record("nothing was asked for")
            return
        }
        #expect(first.map(\.count) == [16])
        book.received(answer(first[0]), for: first[0], at: second(0))
        while let charge = book.take([Self.day], isBackground: false, at: second(0)).charge {
            charges.append(charge)
            // As long as those are not sent, nothing can be leased ahead.
            #expect(book.ahead([Self.day], at: second(0)) == [])
        }
        #expect(charges.count == 16)
        #expect(book.take([Self.day], isBackground: false, at: second(0)) == .wants([]))
        for charge in charges.prefix(3) { book.sent(charge) }
        guard case .wants(let more) = book.take([Self.day], isBackground: false, at: second(0)) else {
            Issue.record("nothing more was asked for")
            return
        }
        #expect(more.map(\.count) == [3])
    }

    @Test func `calls beyond a lease begin as soon as others are sent`() throws {
        let (early, late) = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: "limits: { concurrency: 40 }, \(Self.account)",
                sources: ["a.one": "limits: { concurrency: 40 },"]
            ) { _, _ in
                var answer = ScriptedFetcher.Answer.page(page("a.one", [1]))
                answer.beforeSending = .milliseconds(200)
                return answer
            }
            let calls = (0..<32).map { number in world.run { await world.fetch(page: number).error } }
            try await world.sleep(.milliseconds(199))
            let early = world.fetcher.calls.begun.count
            for call in calls { #expect(await call.value == nil) }
            return (early, loop.now)
        }
        #expect(early == 16)
        #expect(late < at(.milliseconds(500)))
    }

    @Test func `what is left in hand of yesterday does not count today`() throws {
        var ledger = QuotaLedger([(dayQuota(limit: 1024), Self.day)])
        for _ in 0..<5 { _ = ledger.take([Self.day], at: second(0)) }
        _ = ledger.take([Self.day], at: second(86_400))
        #expect(ledger.book.figures(Self.day, at: second(86_400))?.used == 1)
        #expect(ledger.book.figures(Self.day, at: second(86_400))?.left == 1023)
    }
}
