package import Catalogue
package import Storage

/// Quotas in the ledger on disk.
package struct LedgerQuotaStore: QuotaStore {
    private let ledger: QuotaLedger
    private let report: @Sendable (StorageError?) -> Void

    /// - Parameters:
    ///   - ledger: The file, on storage's loop.
    ///   - report: Is told what went wrong, and nil when the ledger could be written.
    package init(_ ledger: QuotaLedger, report: @escaping @Sendable (StorageError?) -> Void) {
        self.ledger = ledger
        self.report = report
    }

    package func lease(_ count: Int, of quota: Quota, _ key: QuotaKey, at time: QuotaTime) async throws -> QuotaGrant {
        let counted = LedgerQuota(account: key.owner, name: key.name, limit: quota.limit) { quota.period(at: $0) }
        do throws(StorageError) {
            let lease = try await ledger.lease(counted, count: count, at: ClockReading(time))
            report(nil)
            return QuotaGrant(
                count: lease.granted,
                total: lease.total,
                resetsAt: lease.resetsAt,
                isGood: { lease.isGood(at: ClockReading($0)) },
                giveBack: { [ledger] unused in try? await ledger.giveBack(lease, unused: unused) }
            )
        } catch {
            report(error)
            throw error
        }
    }
}

extension ClockReading {
    fileprivate init(_ time: QuotaTime) {
        self.init(wallSeconds: time.wall, bootSeconds: time.steady)
    }
}
