import Catalogue
package import Storage

/// Quotas in the ledger on disk.
package struct LedgerQuotaStore: QuotaStore {
    private let ledger: QuotaLedger
    private let report: @Sendable (StorageError?) -> Void

    /// Reports what went wrong, and nil when the ledger could be written.
    package init(_ ledger: QuotaLedger, report: @escaping @Sendable (StorageError?) -> Void) {
        self.ledger = ledger
        self.report = report
    }

    package func lease(_ wants: [QuotaWant], at time: QuotaTime) async throws -> [QuotaGrant] {
        let counted = wants.map { want in
            let quota = LedgerQuota(account: want.key.owner, name: want.key.name, limit: want.quota.limit) {
                want.quota.period(at: $0)
            }
            return (quota: quota, count: want.count == QuotaWant.everything ? QuotaLease.everything : want.count)
        }
        do throws(StorageError) {
            let leases = try await ledger.lease(counted, at: ClockReading(time))
            report(nil)
            return leases.map { lease in
                QuotaGrant(
                    count: lease.granted,
                    total: lease.total,
                    resetsAt: lease.resetsAt,
                    receipt: lease,
                    use: { lease.use($0) },
                    isGood: { lease.isGood(at: ClockReading($0)) }
                )
            }
        } catch {
            report(error)
            throw error
        }
    }

    package func giveBack(_ returns: [QuotaReturn]) async {
        let leases = returns.compactMap { unused in
            (unused.grant.receipt as? QuotaLease).map { (lease: $0, unused: unused.count) }
        }
        try? await ledger.giveBack(leases)
    }
}

extension ClockReading {
    fileprivate init(_ time: QuotaTime) {
        self.init(wallSeconds: time.wall, bootSeconds: time.steady)
    }
}
