import EventLoop
import RPC
import SearchModel

/// What others ask of the limits.
extension AdmissionTable {
    func hasWaiters(_ account: String) -> Bool {
        !waiters.isEmpty && accounts[account]?.sources.values.contains { $0.waiterCount > 0 } == true
    }

    func isOpen(_ source: SourceName) -> Bool {
        guard let line = accounts[source.account]?.sources[source] else { return false }
        return line.breaker.state != .closed
    }

    /// How a call to a source would fare; nil for a source that is not known.
    func callOutlook(
        _ source: SourceName,
        _ priority: Priority,
        at now: Instant,
        _ time: QuotaTime
    ) -> CallOutlook? {
        guard let account = accounts[source.account], let line = account.sources[source] else { return nil }
        return CallOutlook(
            obstacle: obstacle(line, account, priority, at: now, time),
            usual: line.pace.whole.map { .nanoseconds($0) }
        )
    }

    private func obstacle(
        _ line: SourceLimitState,
        _ account: AccountLimitState,
        _ priority: Priority,
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
        let (earliest, reason) = outlook(line, account, priority, at: now)
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
