import Catalogue
import EventLoop
import SearchModel
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

struct MoneyTests {
    private static let account = """
        quotas: [{ name: "a-month", limit: "0.03 USD", per: "month", cost: "0.01 USD", reserve: "0.01 USD" }],
        """

    private static func bill(cost: Int? = nil, left: Int? = nil) -> Bill {
        var bill = Bill()
        bill.costs["a-month"] = cost
        bill.left["a-month"] = left
        return bill
    }

    @Test func `a call is first charged its configured cost, then its real price, and never more than the budget`()
        throws
    {
        let (used, sent, error) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.account)
            var used: [Int?] = []
            var sent = 0
            var error: SearchError?
            for price in [4_000, 0, 10_000, nil, 1] {
                switch await world.start() {
                case .failure(let refusal): error = refusal
                case .success(let call):
                    sent += 1
                    world.limiter.onLoop { $0.settle(call, Self.bill(cost: price)) }
                    used.append(await world.quota()?.used)
                    await world.end(call)
                }
            }
            // The last value is the usage in the store.
            let source = try LimitedWorld.sources(Self.account, ["a.one": ""])[0]
            let counted = source.quotas.map { CountedQuota(key: source.key(of: $0), quota: $0) }
            used.append(try await world.store.usage(counted).usages.first?.total)
            return (used, sent, error)
        }
        #expect(used == [4_000, 4_000, 14_000, 24_000, 24_000])
        #expect(sent == 4)
        #expect(error?.kind == .quotaExhausted)
    }

    @Test func `if a call costs more than configured, its price is charged and the source is stopped`()
        throws
    {
        let changes = Locked<[StateChange]>([])
        let (used, error, standing, again) = try virtually { loop, _ in
            let world = try await LimitedWorld(
                on: loop,
                account: Self.account,
                changed: { change in
                    changes.withLock { $0.append(change) }
                }
            )
            let call = try await world.start().get()
            world.limiter.onLoop { $0.settle(call, Self.bill(cost: 12_000)) }
            await world.end(call)
            let error = await world.fetch().error
            let standing = await world.limiter.standings()[sourceName("a.one")]
            let raised = Self.account.replacing("cost: \"0.01", with: "cost: \"0.012")
            await world.limiter.configure(try LimitedWorld.sources(raised, ["a.one": ""]))
            return (standing?.quotas.first?.used, error, standing, await world.fetch().error)
        }
        #expect(used == 12_000)
        #expect(error?.kind == .unavailable)
        let message = "a.one is stopped: a call costs 0.012 USD, but the quota a-month allows only 0.01 USD"
        #expect(error?.message == message)
        #expect(error?.hint?.contains("accounts.a.quotas.\"a-month\".cost") == true)
        #expect(standing?.state == .suspended)
        #expect(standing?.stopped?.isEmpty == false)
        #expect(again == nil)
        // Only the first change is checked. A later change reports that the budget is used up.
        #expect(changes.withLock { $0.first?.message } == error?.message)
    }

    @Test func `the reserve of a budget is for searches that name the source, and background calls are refused`() throws
    {
        let (errors, background) = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.account)
            let caller = CallDemand.Caller(isNamed: false)
            let background = await world.fetch(page: 9, world.demand(.background)).error
            var errors: [SearchError?] = []
            for number in 0..<3 {
                let deadline = loop.now.advanced(by: .seconds(1))
                errors.append(await world.fetch(page: number, CallDemand(for: caller, until: deadline)).error)
            }
            errors.append(await world.fetch(page: 4).error)
            return (errors, background)
        }
        #expect(errors.map { $0?.kind } == [nil, nil, .quotaExhausted, nil])
        #expect(errors[2]?.message == "0.01 USD of a-month are only for searches that select a source by name")
        #expect(background?.message == "a.one costs money, so it is never called in the background")
    }

    @Test func `if a source reports less remaining money than the ledger, the ledger is corrected`() throws {
        let used = try virtually { loop, _ in
            let world = try await LimitedWorld(on: loop, account: Self.account)
            var used: [Int?] = []
            for left in [25_000, 15_000, 29_000] {
                let call = try await world.start().get()
                world.limiter.onLoop { $0.settle(call, Self.bill(cost: 1_000, left: left)) }
                await world.end(call)
                try await world.sleep(.milliseconds(1))
                used.append(await world.quota()?.used)
            }
            return used
        }
        #expect(used == [5_000, 15_000, 16_000])
    }

    @Test func `quotas in calls and in money are counted separately, and after damage only money is used up`()
        async throws
    {
        let directory = TemporaryDirectory()
        let path = directory.file("quota.sqlite")
        func daily(_ currency: String?) -> CountedQuota {
            var quota = Quota(name: "a-day", limit: 10, period: .day, scope: .account, zone: .fixed(minutes: 0))
            quota.currency = currency
            return CountedQuota(key: QuotaKey(owner: "a", name: "a-day", currency: currency), quota: quota)
        }
        try await withLedger(path) { ledger async throws in
            #expect(try await ledger.charge(daily(nil), times: 3) == 3)
            #expect(try await ledger.used(daily("USD"))?.total == 0)
            #expect(try await ledger.charge(daily("USD"), times: 2) == 2)
            #expect(try await ledger.used(daily(nil))?.total == 3)
        }
        Files.write([UInt8](repeating: 0x5a, count: 20_000), to: path)
        try await withLedger(path) { ledger async throws in
            #expect(try await ledger.charge(daily("USD"), times: 1) == 0)
            #expect(try await ledger.charge(daily(nil), times: 9) == 5)
            _ = try await ledger.set(daily("USD"), used: 9)
            #expect(try await ledger.charge(daily("USD"), times: 2) == 1)
        }
    }
}
