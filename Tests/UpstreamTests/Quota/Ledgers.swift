import Catalogue
import EventLoop
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

/// Noon of 2024-03-09, in seconds since 1970.
let noon: Int64 = 1_709_985_600
let day: Int64 = 86_400

func counted(
    _ name: String = "a-day",
    limit: Int,
    per period: Quota.Period = .day,
    owner: String = "a"
) -> CountedQuota {
    CountedQuota(
        key: QuotaKey(owner: owner, name: name),
        quota: Quota(name: name, limit: limit, period: period, scope: .account, zone: .fixed(minutes: 0))
    )
}

/// A quota store and its clock.
///
/// Each call first sets the clock.
struct Ledger: Sendable {
    let store: SQLiteQuotaStore
    fileprivate let clock: Locked<Int64>

    func charge(_ quotas: [CountedQuota], for user: UInt32, at wall: Int64) async throws -> QuotaCharge {
        clock.withLock { $0 = wall }
        return try await store.charge(quotas, for: user)
    }

    func charge(_ quota: CountedQuota, times: Int, for user: UInt32 = 1, at wall: Int64 = noon) async throws -> Int {
        var charged = 0
        for _ in 0..<times {
            if try await charge([quota], for: user, at: wall).isAccepted { charged += 1 }
        }
        return charged
    }

    func usage(_ quotas: [CountedQuota], at wall: Int64 = noon) async throws -> QuotaOverview {
        clock.withLock { $0 = wall }
        return try await store.usage(quotas)
    }

    func used(_ quota: CountedQuota, at wall: Int64 = noon) async throws -> QuotaUsage? {
        try await usage([quota], at: wall).usages.first
    }

    func set(_ quota: CountedQuota, used: Int) async throws -> QuotaUsage {
        clock.withLock { $0 = noon }
        return try await store.set(quota, used: used, isMinimum: false)
    }
}

func withLedger<Value: Sendable>(
    _ path: String,
    report: @escaping @Sendable (String) -> Void = { _ in },
    _ body: (Ledger) async throws -> Value
) async throws -> Value {
    let thread = try LoopThread(named: "ledger")
    let clock = Locked(noon)
    let store = SQLiteQuotaStore(path, on: thread.loop, wallClock: { clock.withLock { $0 } }, report: report)
    let result: Result<Value, any Error>
    do {
        result = .success(try await body(Ledger(store: store, clock: clock)))
    } catch {
        result = .failure(error)
    }
    await store.close()
    thread.stop()
    return try result.get()
}
