import EventLoop
import RPC
import SearchModel

/// What others ask of the limits.
extension AdmissionTable {
    /// When to look again where it is not known when a call would be spare.
    private static let spareLook = Duration.milliseconds(250)

    func hasWaiters(_ account: String) -> Bool {
        !waiters.isEmpty && accounts[account]?.sources.values.contains { $0.waiterCount > 0 } == true
    }

    func isOpen(_ source: SourceName) -> Bool {
        guard let line = accounts[source.account]?.sources[source] else { return false }
        return line.breaker.state != .closed
    }

    /// How a call to a source would fare behind so many others to its account; nil for a source that is not known.
    func callOutlook(
        _ source: SourceName,
        _ priority: Priority,
        behind others: Int,
        at now: Instant,
        _ time: QuotaTime
    ) -> CallOutlook? {
        guard let account = accounts[source.account], let line = account.sources[source] else { return nil }
        return CallOutlook(
            obstacle: obstacle(line, account, priority, behind: others, at: now, time),
            usual: line.pace.whole.map { .nanoseconds($0) }
        )
    }

    /// How long to wait until a call to a source takes nothing that interactive calls might want; nil when it may be
    /// made now.
    func spareWait(_ source: SourceName, at now: Instant, _ time: QuotaTime) -> Duration? {
        guard let account = accounts[source.account], let line = account.sources[source] else { return Self.spareLook }
        if let skip = obstacle(line, account, .background, behind: 0, at: now, time) {
            return skip.retryAfter ?? Self.spareLook
        }
        // Calls of others, or that wait for a permit.
        guard account.gate.inUse == 0, !hasWaiters(source.account) else { return Self.spareLook }
        let spare = max(line.gate.spare(at: now), account.gate.spare(at: now))
        return spare > now ? now.duration(to: spare) : nil
    }

    private func obstacle(
        _ line: SourceLimitState,
        _ account: AccountLimitState,
        _ priority: Priority,
        behind others: Int,
        at now: Instant,
        _ time: QuotaTime
    ) -> Skip? {
        if let until = line.breaker.obstacle(at: now) {
            return Skip(reason: .suspended, error: LimitErrors.breaker(line.name, wait: now.duration(to: until)))
        }
        for pause in [line.gate.pause, account.gate.pause] where pause.isOn(at: now) && pause.reason != .rateLimit {
            return Skip(
                reason: pause.reason == .quota ? .quotaExhausted : .suspended,
                error: LimitErrors.pause(line.name, pause, at: now)
            )
        }
        if let refusal = book.refusal(line.quotas, isBackground: priority == .background, at: time) {
            let reason = refusal.reason == .paced ? SkipReason.rateLimit : .quotaExhausted
            return Skip(reason: reason, error: LimitErrors.quota(line.name, refusal))
        }
        let (earliest, reason) = outlook(line, account, priority, behind: others, at: now)
        guard earliest > now else { return nil }
        let error = late(line, account, reason, wait: now.duration(to: earliest), at: now)
        return Skip(reason: .rateLimit, error: error)
    }

    /// A call failed: whether it is made again.
    mutating func failed(
        _ source: SourceName,
        _ error: SearchError,
        _ backoff: inout Backoff,
        deadline: Instant,
        jitter: Double,
        at now: Instant
    ) -> Backoff.Verdict {
        guard var line = accounts[source.account]?.sources[source] else { return .giveUp }
        // It would be turned away.
        guard line.breaker.state == .closed else { return .giveUp }
        defer { accounts[source.account]?.sources[source] = line }
        return backoff.failed(error, at: now, deadline: deadline, jitter: jitter, budget: &line.budget)
    }

    /// Turns away everyone who needs a quota that can't be written off.
    mutating func refuse(needing key: QuotaKey) -> [(waiter: WaiterID, error: SearchError)] {
        let lines = accounts.values.flatMap { Array($0.sources.values) }.filter { $0.quotas.contains(key) }
        return lines.flatMap { line in
            line.waiting.map { waiter in
                left(waiter)
                return (waiter, LimitErrors.ledger(line.name))
            }
        }
    }

    /// How every source stands.
    mutating func standings(at now: Instant, _ time: QuotaTime) -> [SourceName: SourceStanding] {
        var standings: [SourceName: SourceStanding] = [:]
        for account in accounts.values {
            for line in account.sources.values {
                standings[line.name] = standing(line, account, at: now, time)
            }
        }
        return standings
    }

    private mutating func standing(
        _ line: SourceLimitState,
        _ account: AccountLimitState,
        at now: Instant,
        _ time: QuotaTime
    ) -> SourceStanding {
        let quotas = line.quotas.compactMap { book.figures($0, at: time) }
        if let openedAt = line.breaker.openedAt {
            let next = line.breaker.obstacle(at: now).map { now.duration(to: $0) }
            return SourceStanding(
                state: .open,
                lasting: openedAt.duration(to: now),
                retryAfter: next,
                quotas: quotas
            )
        }
        for pause in [line.gate.pause, account.gate.pause] where pause.isOn(at: now) {
            return SourceStanding(
                state: .waiting,
                lasting: pause.since.duration(to: now),
                retryAfter: now.duration(to: pause.until),
                quotas: quotas
            )
        }
        let isWaiting = line.waiterCount > 0 || quotas.contains { $0.left == 0 }
        return SourceStanding(state: isWaiting ? .waiting : .free, lasting: nil, quotas: quotas)
    }
}
