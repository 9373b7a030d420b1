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
    private let quotaTime: @Sendable () -> QuotaTime
    private var random: any RandomNumberGenerator & Sendable
    private let reportChange: (@Sendable (StateChange) -> Void)?
    private var table = LimitTable()
    private var news = LimitNews()
    private var calls: [Pass: Call] = [:]
    private var sleepers: [UInt64: OutcomeSlot<Bool>] = [:]
    private var lastNumber: UInt64 = 0
    /// Refunds and reports to the store, one after the other.
    private var storing: Task<Void, Never>?
    private var storingCount = 0

    /// Why calls can't be counted at the moment; sources with a quota wait until that is over.
    package private(set) var storeFailure: QuotaStoreError?
    /// How many calls had to wait here, by reason.
    package private(set) var waits: [WaitReason: Int] = [:]

    /// `changed` is called when a breaker opens or closes, when a quota is used up or has calls again, and when calls
    /// can't be counted.
    package init(
        on loop: EventLoop,
        store: any QuotaStore,
        quotaTime: @escaping @Sendable () -> QuotaTime,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        changed: (@Sendable (StateChange) -> Void)? = nil
    ) {
        self.loop = loop
        self.store = store
        self.quotaTime = quotaTime
        self.random = random
        reportChange = changed
    }

    /// Replaces the sources and their limits; keeps what is known of sources that stay.
    package func configure(_ sources: [UpstreamSource]) {
        table.configure(sources)
        for number in sleepers.keys { wake(number, true) }
        let unread = table.book.unread
        guard !unread.isEmpty else { return }
        store { limiter in await limiter.read(unread) }
    }

    // MARK: Starting

    /// Waits until the rates, the breaker and the source's pauses allow a call, and its quotas unless they are charged.
    ///
    /// - Throws: `rateLimited`, `quotaExhausted` or `unavailable`, as soon as it is known that the call can't start
    ///   before the demand's deadline; `cancelled` when the task was cancelled.
    package func waitForRate(
        _ source: SourceName,
        for demand: CallDemand,
        isCharged: Bool = false,
        report: CallReport
    ) async throws(SearchError) {
        var isReported = false
        while true {
            if Task.isCancelled { throw .cancelled }
            let (now, priority) = (loop.now, demand.priority)
            let users = isCharged ? nil : Self.users(demand)
            switch table.decide(source, priority, for: users, at: now, quotaTime()) {
            case .start: return
            case .refuse(let error):
                if table[source].map({ $0.breaker.state != .closed }) == true { report(.breaker(.open)) }
                throw error
            case .wait(let until, let reason, let error):
                guard until <= demand.deadline else { throw error }
                if !isReported {
                    isReported = true
                    waits[reason, default: 0] += 1
                    report(.queued(reason, wait: now.duration(to: until)))
                }
                table.waits(source, priority, 1)
                let isCancelled = await !sleep(until: until, or: demand)
                table.waits(source, priority, -1)
                if isCancelled { throw .cancelled }
            }
        }
    }

    /// Whether calls to a source may have to wait for one another.
    package func hasRate(_ source: SourceName) -> Bool {
        table[source]?.gate.hasRate == true || table.accounts[source.account]?.gate.hasRate == true
    }

    /// Charges a call and starts it, after `waitForRate`.
    package func start(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Pass {
        let charge = try await charge(source, for: demand)
        do throws(SearchError) {
            // Meanwhile another source of the account may have taken the rate.
            try await waitForRate(source, for: demand, isCharged: true, report: report)
            guard let started = table.start(source, at: loop.now) else { throw LimitErrors.unknown(source) }
            let pass = Pass(number: takeNumber())
            calls[pass] = Call(started: started, charge: charge)
            return pass
        } catch {
            if let charge { refund(charge) }
            throw error
        }
    }

    /// Charges the quotas of a call; nil for a source without any.
    private func charge(_ source: SourceName, for demand: CallDemand) async throws(SearchError) -> QuotaCharge? {
        guard let keys = table[source]?.quotas, !keys.isEmpty else { return nil }
        // A refund may leave room for this call.
        await storing?.value
        if !table.book.isKnown(keys) { await read(table.book.counted(keys)) }
        let quotas = table.book.counted(keys)
        let (time, isBackground) = (quotaTime(), demand.priority == .background)
        var refused: QuotaBook.Refusal?
        for user in Self.users(demand) {
            if let refusal = table.book.refusal(keys, for: user, isBackground: isBackground, at: time) {
                refused = refused ?? refusal
                continue
            }
            return try await charge(quotas, of: source, for: user, isBackground, at: time)
        }
        throw refused.map { LimitErrors.quota(source, $0) } ?? .cancelled
    }

    private func charge(
        _ quotas: [CountedQuota],
        of source: SourceName,
        for user: UInt32,
        _ isBackground: Bool,
        at time: QuotaTime
    ) async throws(SearchError) -> QuotaCharge {
        let keys = quotas.map(\.key)
        table.book.begin(keys, for: user)
        do throws(QuotaStoreError) {
            let answer = try await store.charge(quotas, for: user, at: time.wall)
            noteStore(nil)
            var charge: QuotaCharge?
            if case .charged(let made, _) = answer { charge = made }
            let end = QuotaBook.ChargeEnd(usages: answer.usages, isCharged: charge != nil, isBackground: isBackground)
            table.book.ended(keys, for: user, end, at: time)
            for key in keys { reportUse(of: key, at: time) }
            if let charge { return charge }
        } catch {
            table.book.ended(keys, for: user, QuotaBook.ChargeEnd(), at: time)
            noteStore(error)
            throw LimitErrors.ledger(source, error)
        }
        let refusal = table.book.refusal(keys, for: user, isBackground: isBackground, at: time)
        throw refusal.map { LimitErrors.quota(source, $0) } ?? LimitErrors.rate(source, wait: .seconds(1))
    }

    /// The users who want a call.
    private static func users(_ demand: CallDemand) -> [UInt32] {
        Set(demand.claims.map(\.client.userID)).sorted()
    }

    // MARK: Calling

    /// The request of a call is written.
    package func sent(_ pass: Pass) {
        guard let call = calls[pass], call.started.sentAt == nil else { return }
        calls[pass]?.started.sentAt = loop.now
        table.sent(call.started)
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
        let (now, time, source) = (loop.now, quotaTime(), call.started.source)
        // Only a failure needs a random number, which comes from the kernel.
        let chance = error == nil ? 0 : jitter()
        let ended = table.ended(call.started, error, jitter: chance, at: now, time)
        if call.started.sentAt == nil, let charge = call.charge { refund(charge) }
        for quota in ended.usedUp {
            store { [store] _ in _ = try? await store.set(quota, used: quota.quota.limit, at: time.wall) }
        }
        if let breaker = ended.breaker { report(.breaker(breaker.reported)) }
        for change in news.ended(source, error, breaker: ended.breaker, at: now) { reportChange?(change) }
        guard let error else { return .giveUp }
        return table.failed(source, error, &backoff, deadline: deadline, jitter: jitter(), at: now)
    }

    // MARK: Waiting

    /// Sleeps until an instant, or until the demand or the limits change; false when the task was cancelled.
    private func sleep(until instant: Instant, or demand: CallDemand) async -> Bool {
        let number = takeNumber()
        let slot = OutcomeSlot<Bool>()
        sleepers[number] = slot
        let timer = schedule(at: instant) { $0.wake(number, true) }
        demand.whenChanged { [weak self] in
            self?.performLater { $0.wake(number, true) }
        }
        let isAwake = await outcome(of: slot) { $0.wake(number, false) }
        demand.whenChanged(nil)
        loop.cancel(timer)
        return isAwake
    }

    private func wake(_ number: UInt64, _ outcome: Bool) {
        sleepers.removeValue(forKey: number)?.end(outcome)
    }

    private func takeNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
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
        storingCount += 1
        storing = Task(executorPreference: loop) { [before = storing] in
            await before?.value
            await work(self)
            await self.hasStored()
        }
    }

    private func hasStored() {
        storingCount -= 1
        if storingCount == 0 { storing = nil }
    }

    /// Asks the store what is used of quotas.
    private func read(_ quotas: [CountedQuota]) async {
        do throws(QuotaStoreError) {
            let overview = try await store.usage(quotas, at: quotaTime().wall)
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
            reportChange?(StateChange(.quota, "calls can be counted again", isTrouble: false))
            return
        }
        let waiting = table.accounts.values.flatMap { Array($0.sources.values) }.filter { !$0.quotas.isEmpty }
        let names = waiting.map(\.name.text).sorted().joined(separator: ", ")
        let message = "\(error.message); not asked until calls can be counted: \(names). \(error.hint)"
        reportChange?(StateChange(.quota, message, isTrouble: true))
    }

    private func reportUse(of key: QuotaKey, at time: QuotaTime) {
        guard let figures = table.book.figures(key, at: time) else { return }
        for change in news.used(figures, key) { reportChange?(change) }
    }

    /// Corrects what is used of every quota with this name; nil when there is none.
    package func setQuota(_ name: String, used: Int) async throws(QuotaStoreError) -> [QuotaFigures]? {
        let quotas = table.book.named(name)
        guard !quotas.isEmpty else { return nil }
        for quota in quotas {
            let usage = try await store.set(quota, used: used, at: quotaTime().wall)
            table.book.received([usage], of: [quota.key])
            for number in sleepers.keys { wake(number, true) }
        }
        noteStore(nil)
        let time = quotaTime()
        return quotas.compactMap { table.book.figures($0.key, at: time) }
    }

    /// The names of all quotas.
    package var quotaNames: [String] { table.book.names }

    /// Waits until the store has everything that was given to it; at the end, when no call is under way.
    package func drain() async {
        await storing?.value
    }

    // MARK: Reporting

    /// How many calls to a source, and to its account, may run at once.
    package func slots(of source: SourceName) -> RequestThrottle.Slots {
        RequestThrottle.Slots(
            source: table[source]?.slots ?? RequestThrottle.slotsDefault,
            account: table.accounts[source.account]?.slots ?? .max
        )
    }

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
        let (now, time) = (loop.now, quotaTime())
        var outlooks: [SourceName: CallOutlook] = [:]
        // Sources of one account share its rate.
        var going: [String: Int] = [:]
        for source in sources {
            let ahead = going[source.account, default: 0]
            let outlook = table.outlook(source, priority, for: user, behind: ahead, at: now, time)
            guard let outlook else { continue }
            outlooks[source] = outlook
            if outlook.obstacle == nil { going[source.account] = ahead + 1 }
        }
        return outlooks
    }

    /// How long to wait until a user's call takes nothing that interactive calls want; nil when it may start now.
    package func spareWait(_ source: SourceName, for user: UInt32) -> Duration? {
        table.spareWait(source, for: user, at: loop.now, quotaTime())
    }

    /// The state of every source.
    package func standings() -> [SourceName: SourceStanding] {
        table.standings(at: loop.now, quotaTime())
    }
}

extension Breaker.State {
    fileprivate var reported: CallEvent.BreakerState {
        switch self {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }
}
