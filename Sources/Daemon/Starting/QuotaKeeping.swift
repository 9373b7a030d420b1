import CPlatform
import Engine
import EventLoop
import Storage

/// The limits of all sources, and where what was used of them is written down.
struct QuotaKeeping: Sendable {
    let limiter: RateLimiter
    private let ledger: QuotaLedger?

    /// Without a directory for what must last, quotas are counted from the daemon's start.
    init(
        on loop: EventLoop,
        _ storage: StoragePaths?,
        _ log: Log,
        changed: @escaping @Sendable (StateChange) -> Void
    ) {
        guard let storage, let file = storage.ledgerFile else {
            ledger = nil
            let quotaTime: @Sendable () -> QuotaTime = {
                QuotaTime(
                    steady: loop.now.nanoseconds / 1_000_000_000,
                    wall: platform_realtime_ns() / 1_000_000_000
                )
            }
            let store = MemoryQuotaStore(on: loop)
            limiter = RateLimiter(on: loop, store: store, quotaTime: quotaTime, changed: changed)
            return
        }
        let ledger = QuotaLedger(file, on: storage.loop) {
            log.warning(
                "\(file) was deleted or replaced while it was in use; the daemon has written it again. "
                    + "Stop the daemon before you move its files."
            )
        }
        self.ledger = ledger
        let isFailing = Locked(false)
        let store = LedgerQuotaStore(ledger) { error in
            let hasFailed = isFailing.withLock { isFailing in
                defer { isFailing = error != nil }
                return isFailing
            }
            guard let error, !hasFailed else { return }
            log.error("\(error); sources with a quota are not asked while it can't be counted. \(error.hint)")
        }
        let quotaTime: @Sendable () -> QuotaTime = {
            let now = ClockReading.now()
            return QuotaTime(steady: now.bootSeconds, wall: now.wallSeconds)
        }
        limiter = RateLimiter(on: loop, store: store, quotaTime: quotaTime, changed: changed)
    }

    /// Gives back what was not used, when no call is under way any more, and lets go of the file.
    func close() async {
        await limiter.drain()
        await ledger?.close()
    }
}
