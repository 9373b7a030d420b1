import Catalogue
package import EventLoop
package import RPC
package import SearchModel

/// The third step of a call: decides when it may start.
///
/// A call starts when its source's breaker and pauses, the rates of source and account, and all quotas allow it. Its
/// quotas are charged durably before. There is no queue here: the throttle sends one call per source and priority at a
/// time. What a call took is given back unless its request was sent.
package actor RateLimiter: LoopActor {
    /// A call that has started; `ended` must follow, whatever becomes of it.
    package struct Pass: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Call {
        var started: LimitTable.Started
        let charge: QuotaCharge?
    }

    package nonisolated let loop: EventLoop
    private let store: any QuotaStore
    private let wallClock: @Sendable () -> Int64
    private var random: any RandomNumberGenerator & Sendable
    private let reportChange: @Sendable (StateChange) -> Void
    private var table = LimitTable()
    private var calls: [Pass: Call] = [:]
    private var sleepers: [UInt64: OutcomeSlot<Bool>] = [:]
    private var lastNumber: UInt64 = 0
    /// Refunds and reports to the store, one after the other.
    private var storing: Task<Void, Never>?

    /// Why calls can't be counted at the moment; sources with a quota wait until that is over.
    package private(set) var storeFailure: QuotaStoreError?
    /// How many calls had to wait here, by reason.
    package private(set) var waits: [WaitReason: Int] = [:]

    /// `wallClock` reads seconds since 1970. `changed` is called when a breaker opens or closes, when a quota is used
    /// up, and when calls can't be counted.
    package init(
        on loop: EventLoop,
        store: any QuotaStore,
        wallClock: @escaping @Sendable () -> Int64,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        changed: @escaping @Sendable (StateChange) -> Void = { _ in }
    ) {
        self.loop = loop
        self.store = store
        self.wallClock = wallClock
        self.random = random
        reportChange = changed
    }

    /// Replaces the sources and their limits; keeps what is known of sources that stay.
    package func configure(_ sources: [UpstreamSource]) {
        table.configure(sources)
        wakeAll()
        readUsage()
    }

    // MARK: Starting

    /// Whether calls to a source may have to wait for one another or for a pause.
    package func mayDelay(_ source: SourceName) -> Bool { table.mayDelay(source, at: loop.now) }

    /// Waits until the limits allow a call, charges its quotas and starts it.
    ///
    /// - Throws: `rateLimited`, `quotaExhausted` or `unavailable`, as soon as it is known that the call can't start
    ///   before the demand's deadline; `cancelled` when the task was cancelled.
    package func start(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Pass {
        var charge: QuotaCharge?
        do throws(SearchError) {
            try await waitForLimits(source, for: demand, isCharged: false, report: report)
            let quotas = table.quotas(of: source)
            if !quotas.isEmpty {
                charge = try await self.charge(quotas, of: source, for: demand)
                // Meanwhile another source of the account may have taken the rate.
                try await waitForLimits(source, for: demand, isCharged: true, report: report)
            }
        } catch {
            if let charge { refund(charge) }
            throw error
        }
        let pass = Pass(number: takeNumber())
        calls[pass] = Call(started: table.start(source, at: loop.now), charge: charge)
        return pass
    }

    private func waitForLimits(
        _ source: SourceName,
        for demand: CallDemand,
        isCharged: Bool,
        report: CallReport
    ) async throws(SearchError) {
        var isReported = false
        while !Task.isCancelled {
            let (now, priority) = (loop.now, demand.priority)
            switch table.decide(source, priority, for: isCharged ? nil : demand.users, at: now, wallClock()) {
            case .start: return
            case .refuse(let error):
                if error.kind == .unavailable { report(.breaker(.open)) }
                throw error
            case .wait(let until, let reason, let error):
                guard until <= demand.deadline else { throw error }
                if !isReported {
                    isReported = true
                    waits[reason, default: 0] += 1
                    report(.queued(reason, wait: now.duration(to: until)))
                }
                table.wait(source, priority, 1)
                await sleep(until: until, or: demand)
                table.wait(source, priority, -1)
            }
        }
        throw .cancelled
    }

    /// Sleeps until an instant, or until the demand or the limits change or the task is cancelled.
    private func sleep(until instant: Instant, or demand: CallDemand) async {
        let (number, slot) = (takeNumber(), OutcomeSlot<Bool>())
        sleepers[number] = slot
        let timer = schedule(at: instant) { $0.wake(number) }
        demand.whenChanged { [weak self] in self?.performLater { $0.wake(number) } }
        _ = await outcome(of: slot) { $0.wake(number) }
        demand.whenChanged(nil)
        loop.cancel(timer)
    }

    private func wake(_ number: UInt64) {
        sleepers.removeValue(forKey: number)?.end(true)
    }

    private func wakeAll() {
        for number in sleepers.keys { wake(number) }
    }

    private func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    /// Charges the quotas of a call, on behalf of one of the users who want it and may make it.
    private func charge(
        _ keys: [QuotaKey],
        of source: SourceName,
        for demand: CallDemand
    ) async throws(SearchError) -> QuotaCharge {
        // A refund may leave room for this call.
        await storing?.value
        let (wall, priority, users) = (wallClock(), demand.priority, demand.users.sorted())
        let user = users.first { table.book.refusal(keys, for: [$0], priority, at: wall) == nil }
        guard let user else {
            throw table.book.refusal(keys, for: users, priority, at: wall).map { LimitErrors.quota(source, $0) }
                ?? .cancelled
        }
        table.book.begin(keys, for: user)
        let answer: QuotaAnswer
        do throws(QuotaStoreError) {
            answer = try await store.charge(table.book.counted(keys), for: user, at: wall)
        } catch {
            table.book.ended(keys, for: user, at: wall)
            noteStore(error)
            throw LimitErrors.ledger(source, error)
        }
        noteStore(nil)
        table.book.ended(keys, for: user, answer, at: wall)
        guard case .charged(let charge, _) = answer else {
            throw table.book.refusal(keys, for: [user], priority, at: wall).map { LimitErrors.quota(source, $0) }
                ?? LimitErrors.rate(source, wait: .seconds(1))
        }
        for figures in keys.compactMap({ table.book.figures($0, at: wall) }) where figures.left == 0 {
            let message = "quota \(figures.name) is used up until \(figures.resetsAt.text): \(figures.limit) calls"
            reportChange(StateChange(.quota, message, isTrouble: true))
        }
        return charge
    }

    // MARK: Calling

    /// The request of a call is written.
    package func sent(_ pass: Pass) {
        guard let call = calls[pass], call.started.sentAt == nil else { return }
        calls[pass]?.started.sentAt = loop.now
        table.sent(call.started.source)
    }

    /// A call has ended, with an error or well; returns whether it is to be made again.
    func ended(
        _ pass: Pass,
        _ error: SearchError?,
        _ backoff: inout Backoff,
        deadline: Instant,
        report: CallReport
    ) -> Backoff.Verdict {
        guard let call = calls.removeValue(forKey: pass) else { return .giveUp }
        let (now, wall, source) = (loop.now, wallClock(), call.started.source)
        // Only a failure needs a random number, which comes from the kernel.
        let ended = table.ended(call.started, error, jitter: error == nil ? 0 : jitter(), at: now, wall)
        if call.started.sentAt == nil, let charge = call.charge { refund(charge) }
        for quota in ended.usedUp {
            store { [store] _ in _ = try? await store.set(quota, used: quota.quota.limit, at: wall) }
        }
        if let state = ended.breaker {
            report(.breaker(state.reported))
            state.change(source, at: now).map(reportChange)
        }
        if ended.isNews {
            let end = error?.resetsAt.map { " until \($0)" } ?? ""
            let message = "\(source) says that its quota is used up\(end)"
            reportChange(StateChange(.quota, of: source, message, isTrouble: true))
        }
        guard let error else { return .giveUp }
        return table.failed(source, error, &backoff, deadline: deadline, jitter: jitter(), at: now)
    }

    private func jitter() -> Double {
        Double(random.next() >> 11) / Double(1 << 53)
    }

    // MARK: The store

    private func refund(_ charge: QuotaCharge) {
        table.book.refunded(charge)
        store { [store] _ in await store.refund(charge) }
    }

    /// Works on the store after what was asked of it before.
    private func store(_ work: @escaping @Sendable (RateLimiter) async -> Void) {
        storing = Task(executorPreference: loop) { [before = storing] in
            await before?.value
            await work(self)
        }
    }

    /// Asks the store what is used of the quotas that it has not told of yet.
    private func readUsage() {
        let unread = table.book.unread
        guard !unread.isEmpty else { return }
        store { limiter in await limiter.read(unread) }
    }

    private func read(_ quotas: [CountedQuota]) async {
        do throws(QuotaStoreError) {
            let overview = try await store.usage(quotas, at: wallClock())
            table.book.received(overview.usages, of: quotas.map(\.key))
            table.book.received(overview.callers)
            noteStore(nil)
        } catch {
            noteStore(error)
        }
    }

    /// Reports once that calls can't be counted, and once that they can be again.
    private func noteStore(_ error: QuotaStoreError?) {
        let before = storeFailure
        storeFailure = error
        guard (before == nil) != (error == nil) else { return }
        guard let error else {
            reportChange(StateChange(.quota, "calls can be counted again", isTrouble: false))
            return readUsage()
        }
        let names = table.sourcesWithQuota.map(\.text).joined(separator: ", ")
        let message = "\(error.message); not asked until calls can be counted: \(names). \(error.hint)"
        reportChange(StateChange(.quota, message, isTrouble: true))
    }

    /// Corrects what is used of every quota with this name; nil when there is none.
    package func setQuota(_ name: String, used: Int) async throws(QuotaStoreError) -> [QuotaFigures]? {
        let quotas = table.book.named(name)
        guard !quotas.isEmpty else { return nil }
        for quota in quotas {
            let usage = try await store.set(quota, used: used, at: wallClock())
            table.book.received([usage], of: [quota.key])
        }
        wakeAll()
        noteStore(nil)
        return quotas.compactMap { table.book.figures($0.key, at: wallClock()) }
    }

    /// The names of all quotas.
    package var quotaNames: [String] { table.book.names }

    /// Waits until the store has everything that was given to it; at the end, when no call is under way.
    package func drain() async {
        await storing?.value
    }

    // MARK: Reporting

    /// How many calls to a source, and to its account, may run at once.
    package func slots(of source: SourceName) -> RequestThrottle.Slots { table.slots(of: source) }

    /// How long the rates delay a call behind so many others.
    package func delay(_ source: SourceName, _ priority: Priority, behind others: Int) -> Duration {
        table.delay(source, priority, behind: others, at: loop.now)
    }

    /// How calls of a user to these sources would fare if all of them were asked for now, in this order.
    package func outlooks(
        _ sources: [SourceName],
        _ priority: Priority,
        for user: UInt32
    ) -> [SourceName: CallOutlook] {
        let (now, wall) = (loop.now, wallClock())
        var outlooks: [SourceName: CallOutlook] = [:]
        // Sources of one account share its rate.
        var going: [String: Int] = [:]
        for source in sources {
            let ahead = going[source.account, default: 0]
            outlooks[source] = table.outlook(source, priority, for: user, behind: ahead, at: now, wall)
            if outlooks[source]?.obstacle == nil { going[source.account] = ahead + 1 }
        }
        return outlooks
    }

    /// How long to wait until a user's call takes nothing that interactive calls want; nil when it may start now.
    package func spareWait(_ source: SourceName, for user: UInt32) -> Duration? {
        table.spareWait(source, for: user, at: loop.now, wallClock())
    }

    /// The state of every source.
    package func standings() -> [SourceName: SourceStanding] { table.standings(at: loop.now, wallClock()) }
}
