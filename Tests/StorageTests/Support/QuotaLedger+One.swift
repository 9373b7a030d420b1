@testable import Storage

/// Leases of one quota.
extension QuotaLedger {
    func lease(_ quota: LedgerQuota, count: Int, at reading: ClockReading) throws(StorageError) -> QuotaLease {
        try lease([(quota: quota, count: count)], at: reading)[0]
    }

    func giveBack(_ lease: QuotaLease, unused: Int) throws(StorageError) {
        try giveBack([(lease: lease, unused: unused)])
    }
}
