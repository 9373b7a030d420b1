import CPlatform
import EventLoop
import Upstream

/// The limits of all sources, and the store that counts their quotas.
struct QuotaKeeping: Sendable {
    let limiter: RateLimiter
    private let ledger: SQLiteQuotaStore?

    /// Without a state directory, quotas are counted from the daemon's start.
    init(
        on loop: EventLoop,
        _ storage: StoragePaths?,
        _ log: Log,
        changed: @escaping @Sendable (StateChange) -> Void
    ) {
        let wallClock: @Sendable () -> Int64 = { platform_realtime_ns() / 1_000_000_000 }
        ledger = storage.flatMap { storage in
            storage.ledgerFile.map { file in
                SQLiteQuotaStore(file, on: storage.ledgerLoop, wallClock: wallClock) { log.error($0) }
            }
        }
        limiter = RateLimiter(
            on: loop,
            store: ledger ?? MemoryQuotaStore(on: loop),
            wallClock: wallClock,
            changed: changed
        )
    }

    /// Writes what is under way, and closes the ledger; when no call is under way any more.
    func close() async {
        await limiter.drain()
        await ledger?.close()
    }
}
