package import EventLoop
package import RPC
package import SearchModel

/// Admits calls to sources when all limits allow it: rate, concurrency, quotas, pauses that sources asked for,
/// breakers.
///
/// First come, first served, the more urgent before all others. What a call took is given back unless its request was
/// sent; a unit of quota is written off durably before its call is admitted.
package actor RateLimiter: LoopActor {
    /// A call that may be made now; `ended` must follow, whatever becomes of it.
    package struct Admission: Sendable {
        let pass: AdmissionTable.PassID
        package let source: SourceName
    }

    /// For a call that waits as long as it takes.
    static let waitMax = Duration.seconds(600)

    private typealias Outcome = Result<Admission, SearchError>

    private struct Waiter {
        let slot = OutcomeSlot<Outcome>()
        let source: SourceName
        let demand: CallDemand
        let report: CallReport
        var timer: Timer?
    }

    package nonisolated let loop: EventLoop
    private let store: any QuotaStore
    private let quotaTime: @Sendable () -> QuotaTime
    private var random: any RandomNumberGenerator & Sendable
    private let reportChange: (@Sendable (StateChange) -> Void)?
    private var news = LimitNews()
    private var table = AdmissionTable()
    private var waiters: [WaiterID: Waiter] = [:]
    /// When to look at an account again.
    private var alarms: [String: Timer] = [:]
    /// Questions to the ledger that are under way, by number.
    private var questions: [Int: Task<Void, Never>] = [:]
    private var lastQuestion = 0
    /// What is being given back to it, one after the other.
    private var returning: Task<Void, Never>?

    /// How many calls had to wait here, by what for; one that waits on is counted as often as it is reported.
    package private(set) var waits: [WaitReason: Int] = [:]

    /// `changed` is called when a breaker opens or closes, and when a quota is used up or has units again.
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
    package func configure(_ sources: [ConfiguredSource]) {
        for id in table.configure(sources) {
            if let waiter = waiters[id] { end(id, .failure(LimitErrors.unknown(waiter.source))) }
        }
        ask(table.book.unread(at: quotaTime()))
        for account in table.accounts.keys { pump(account) }
    }

    // MARK: Calls

    /// Waits until the source may be asked.
    ///
    /// - Throws: `rateLimited`, `quotaExhausted`, `unavailable` or `overloaded`, as soon as it is known that the turn
    ///   does not come before the demand's deadline; `cancelled` when the task was cancelled.
    package func admit(
        _ source: SourceName,
        for demand: CallDemand,
        report: @escaping CallReport
    ) async throws(SearchError) -> Admission {
        if Task.isCancelled { throw .cancelled }
        let now = loop.now
        switch table.asked(source, demand.priority, deadline: deadline(of: demand, at: now), at: now) {
        case .refused(let error):
            if table.isOpen(source) { report(.breaker(.open)) }
            throw error
        case .waits(let id):
            let waiter = Waiter(source: source, demand: demand, report: report)
            waiters[id] = waiter
            pump(source.account)
            if waiters[id] != nil { wait(id, waiter) }
            return try await outcome(of: waiter.slot) { $0.cancel(id) }.get()
        }
    }

    /// The request of an admitted call goes out.
    package func sent(_ admission: Admission) {
        table.sent(admission.pass, at: loop.now)
        // Others may have waited for this one's units to be used.
        if table.hasWaiters(admission.source.account) { pump(admission.source.account) }
    }

    /// An admitted call is over, with an error or well; whether it is to be made again.
    func ended(
        _ admission: Admission,
        _ error: SearchError?,
        _ backoff: inout Backoff,
        for demand: CallDemand,
        report: CallReport
    ) -> Backoff.Verdict {
        let now = loop.now
        // Only a failure needs a random number, which comes from the kernel.
        let chance = error == nil ? 0 : jitter()
        let breaker = table.ended(admission.pass, error, jitter: chance, at: now, quotaTime())
        if let breaker { report(.breaker(breaker.reported)) }
        for change in news.ended(admission.source, error, breaker: breaker, at: now) { reportChange?(change) }
        let verdict =
            error.map { error in
                table.failed(
                    admission.source,
                    error,
                    &backoff,
                    deadline: deadline(of: demand, at: now),
                    jitter: jitter(),
                    at: now
                )
            } ?? .giveUp
        pump(admission.source.account)
        return verdict
    }

    // MARK: Waiting

    private func wait(_ id: WaiterID, _ waiter: Waiter) {
        let now = loop.now
        waiters[id]?.timer = schedule(id, at: deadline(of: waiter.demand, at: now))
        waiter.demand.whenChanged { [weak self] in
            // Callers come and go on the loop, but not always outside this actor.
            self?.performLater { $0.changed(id) }
        }
        guard let (reason, wait) = table.waiting(id, at: now), wait > .zero || reason == .concurrency else { return }
        waits[reason, default: 0] += 1
        waiter.report(.queued(reason, wait: wait))
    }

    private func changed(_ id: WaiterID) {
        guard let waiter = waiters[id] else { return }
        let deadline = deadline(of: waiter.demand, at: loop.now)
        table.changed(id, waiter.demand.priority, deadline: deadline)
        if let timer = waiter.timer { loop.cancel(timer) }
        waiters[id]?.timer = schedule(id, at: deadline)
        pump(waiter.source.account)
    }

    private func schedule(_ id: WaiterID, at deadline: Instant) -> Timer {
        schedule(at: deadline) { $0.expire(id) }
    }

    private func expire(_ id: WaiterID) {
        guard let account = waiters[id]?.source.account else { return }
        // Its turn may come at this very instant.
        pump(account)
        guard let waiter = table.left(id) else { return }
        end(id, .failure(table.expired(waiter, at: loop.now)))
        pump(waiter.account)
    }

    private func cancel(_ id: WaiterID) {
        guard let waiter = table.left(id) else { return }
        end(id, .failure(.cancelled))
        pump(waiter.account)
    }

    /// Resumes a waiter, once; nothing when it has left.
    private func end(_ id: WaiterID, _ outcome: Outcome) {
        guard let waiter = waiters.removeValue(forKey: id) else { return }
        if let timer = waiter.timer {
            loop.cancel(timer)
            waiter.demand.whenChanged(nil)
        }
        if case .success = outcome { waiter.report(.admitted) }
        waiter.slot.end(outcome)
    }

    /// Admits and refuses the waiters of an account whose turn it is.
    private func pump(_ account: String) {
        let step = table.pump(account, at: loop.now, quotaTime())
        for (id, pass) in step.admitted {
            guard let source = waiters[id]?.source else { continue }
            end(id, .success(Admission(pass: pass, source: source)))
        }
        for (id, error) in step.refused { end(id, .failure(error)) }
        ask(step.wants)
        giveBackReturns()
        wake(account, at: step.wakeAt)
    }

    /// Looks at an account again then, and not when that was planned before.
    private func wake(_ account: String, at instant: Instant?) {
        if let alarm = alarms.removeValue(forKey: account) { loop.cancel(alarm) }
        guard let instant else { return }
        alarms[account] = schedule(at: instant) { limiter in
            limiter.alarms[account] = nil
            limiter.pump(account)
        }
    }

    /// Until when a call may wait.
    private func deadline(of demand: CallDemand, at now: Instant) -> Instant {
        let latest = now.advanced(by: Self.waitMax)
        return min(demand.deadline ?? latest, latest)
    }

    private func jitter() -> Double {
        Double(random.next() >> 11) / Double(1 << 53)
    }

    // MARK: The ledger

    /// Asks the ledger for units, or only for its totals, in one request: each answer waits for the disk.
    private func ask(_ wants: [QuotaWant]) {
        guard !wants.isEmpty else { return }
        let time = quotaTime()
        lastQuestion += 1
        questions[lastQuestion] = Task(executorPreference: loop) { [store, number = lastQuestion] in
            let grants = try? await store.lease(wants, at: time)
            await self.answered(grants, wants, askedAt: time, number)
        }
    }

    private func answered(_ grants: [QuotaGrant]?, _ wants: [QuotaWant], askedAt time: QuotaTime, _ number: Int) {
        questions[number] = nil
        for (index, want) in wants.enumerated() {
            if let grants {
                table.book.received(grants[index], for: want, at: time)
                if want.count > 0, let figures = table.book.figures(want.key, at: time) {
                    for change in news.granted(of: figures, want.key) { reportChange?(change) }
                }
            } else if table.book.failed(want, at: time) {
                for (id, error) in table.refuse(needing: want.key) { end(id, .failure(error)) }
            }
        }
        for account in Set(wants.map(\.key.account)) { pump(account) }
    }

    /// Gives back to the ledger what will not be used.
    private func giveBackReturns() {
        let returns = table.book.takeReturns().filter { $0.count > 0 }
        guard !returns.isEmpty else { return }
        returning = Task(executorPreference: loop) { [store, before = returning] in
            await before?.value
            await store.giveBack(returns)
        }
    }

    /// Gives what was leased and not used back to the ledger; at the end, when no call is under way.
    package func drain() async {
        for question in Array(questions.values) { await question.value }
        table.book.handBackAll()
        giveBackReturns()
        await returning?.value
    }

    // MARK: Reporting

    /// How calls to these sources would fare that were asked for now, all of them in this order.
    package func outlooks(_ sources: [SourceName], _ priority: Priority) -> [SourceName: CallOutlook] {
        let (now, time) = (loop.now, quotaTime())
        var outlooks: [SourceName: CallOutlook] = [:]
        // Sources of one account share its rate.
        var going: [String: Int] = [:]
        for source in sources {
            let ahead = going[source.account, default: 0]
            guard let outlook = table.callOutlook(source, priority, behind: ahead, at: now, time) else { continue }
            outlooks[source] = outlook
            if outlook.obstacle == nil { going[source.account] = ahead + 1 }
        }
        return outlooks
    }

    /// How long to wait until a source has calls to spare, that interactive ones do not want; nil when it has now.
    package func spareWait(_ source: SourceName) -> Duration? {
        table.spareWait(source, at: loop.now, quotaTime())
    }

    /// How every source stands.
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
