import Catalogue
import EventLoop
import Storage
import TestSupport
import Testing

@testable import Engine

@Suite struct LedgerQuotaStoreTests {
    private static let quota = Quota(name: "day", limit: 20, period: .day, scope: .account, zone: .fixed(minutes: 540))
    private static let key = QuotaKey(owner: "kakao", name: "day")
    /// Noon of a day in Korea.
    private static let noon = QuotaTime(steady: 500_000, wall: 20_000 * 86_400 + 3 * 3600)

    /// What the store reported, with what happened.
    private func withStore(
        path: String? = nil,
        _ body: @escaping @Sendable (LedgerQuotaStore, Locked<[StorageError?]>) async throws -> Void
    ) throws {
        let directory = TemporaryDirectory()
        try virtually { loop, _ in
            let reports = Locked<[StorageError?]>([])
            let ledger = Storage.QuotaLedger(path ?? directory.file("quota.sqlite"), boot: "boot", on: loop)
            let store = LedgerQuotaStore(ledger) { error in reports.withLock { $0.append(error) } }
            try await body(store, reports)
            await ledger.close()
        }
    }

    private static func lease(_ count: Int, _ store: LedgerQuotaStore) async throws -> QuotaGrant {
        try await store.lease([QuotaWant(key: key, quota: quota, count: count)], at: noon)[0]
    }

    @Test func `a quota is granted, given back and used up in the source's own day`() throws {
        try withStore { store, reports in
            let first = try await Self.lease(16, store)
            #expect((first.count, first.total) == (16, 16))
            await store.giveBack([QuotaReturn(key: Self.key, grant: first, count: 6)])
            let second = try await Self.lease(16, store)
            #expect((second.count, second.total) == (10, 20))
            let third = try await Self.lease(1, store)
            #expect((third.count, third.total) == (0, 20))
            // Midnight in Korea.
            #expect(third.resetsAt == 20_000 * 86_400 + 15 * 3600)
            #expect(reports.withLock { $0 } == [nil, nil, nil])
        }
    }

    @Test func `what a source says is used up is written off whole`() throws {
        try withStore { store, _ in
            _ = try await Self.lease(1, store)
            let rest = try await Self.lease(QuotaWant.everything, store)
            #expect((rest.count, rest.total) == (19, 20))
        }
    }

    @Test func `a grant is good until its day ends or the clock is set`() throws {
        try withStore { store, _ in
            let grant = try await Self.lease(16, store)
            func time(_ seconds: Int64, step: Int64 = 0) -> QuotaTime {
                QuotaTime(steady: Self.noon.steady + seconds, wall: Self.noon.wall + seconds + step)
            }
            #expect(grant.isGood(time(11 * 3600)))
            #expect(!grant.isGood(time(12 * 3600)))
            #expect(!grant.isGood(time(0, step: 3600)))
        }
    }

    @Test func `what a process that was killed had not used is granted to the next`() throws {
        let directory = TemporaryDirectory()
        for used in [0, 5] {
            try withStore(path: directory.file("quota.sqlite")) { store, _ in
                let grant = try await Self.lease(16, store)
                #expect((grant.count, grant.total) == (16, 16))
                for _ in 0..<used { #expect(grant.use(1)) }
            }
        }
        try withStore(path: directory.file("quota.sqlite")) { store, _ in
            let total = try await Self.lease(0, store).total
            #expect(total == 5)
        }
    }

    @Test func `what can't be written is not granted, and reported`() throws {
        try withStore(path: "/dev/null/quota.sqlite") { store, reports in
            let error = await #expect(throws: StorageError.self) {
                try await Self.lease(16, store)
            }
            #expect(error?.code == .directory)
            #expect(reports.withLock { $0.count } == 1)
        }
    }
}
