import Catalogue
package import EventLoop
package import SearchModel

/// The third step of a call: decides when it may start.
///
/// A call starts when its source's breaker and pauses, the rates of source and account, and all quotas allow it. Its
/// quotas are charged durably before it starts. There is no queue here: the throttle sends one call per source and
/// priority at a time. `Breaker`, `Gate`, `QuotaBook` and `RetryBudget` make the decisions; they are pure.
///
/// Invariant: a started call has used the rates and quotas of its source and its account; this usage is returned unless
/// the request was sent.
package actor RateLimiter: LoopActor {
    /// A started call; `ended` must always follow.
    package struct Pass: Sendable {
        fileprivate let source: SourceName
        fileprivate let permits: [Gate.Permit]
        /// Whether the call probes if the source works again.
        fileprivate let isProbe: Bool
        fileprivate let charge: QuotaCharge?
    }

    /// One source.
    private struct Line {
        var breaker = Breaker()
        var budget = RetryBudget()
        /// Calls waiting for the rate.
        var waiting = 0
        /// All quotas of a call.
        var quotas: [QuotaKey] = []
        /// The moving average of response times, where each response counts a quarter; nil before the first.
        var usual: Duration?
    }

    /// How long after a window's end a source may still count calls in the old window.
    private static let turnSeconds: Int64 = 120
    /// When to check again if the time of the next spare call is unknown.
    private static let spareLook = Duration.milliseconds(250)

    package nonisolated let loop: EventLoop
    private let store: any QuotaStore
    private let wallClock: @Sendable () -> Int64
    private var random: any RandomNumberGenerator & Sendable
    private let reportChange: @Sendable (StateChange) -> Void
    private var lines: [SourceName: Line] = [:]
    /// By account, and by source.
    private var gates: [String: Gate] = [:]
    private var book = QuotaBook()
    /// Refunds and queries for the store, in order.
    private var storing: Task<Void, Never>?

    /// Why calls can't be counted at the moment; sources with a quota wait until this is nil.
    package private(set) var storeFailure: QuotaStoreError?

    /// Limits of no source, until `configure`.
    ///
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

    // MARK: Sources

    /// Replaces the sources and their limits; keeps the state of remaining sources.
    ///
    /// A limit that the configuration raises for one source raises the account's limit with it.
    package func configure(_ sources: [UpstreamSource]) {
        let before = (lines: lines, gates: gates)
        (lines, gates) = ([:], [:])
        for (account, sources) in Dictionary(grouping: sources, by: \.source.account) {
            var (limits, quotas) = (sources.first?.source.accountLimits ?? Limits(), [String: Quota]())
            for source in sources {
                if let rate = limits.perSecond { limits.perSecond = max(rate, source.limits.perSecond ?? 0) }
                if let count = limits.concurrency { limits.concurrency = max(count, source.limits.concurrency ?? 0) }
                for quota in source.quotas where quota.scope == .account && quota.limit > quotas[quota.name]?.limit ?? 0
                {
                    quotas[quota.name] = quota
                }
                keep(source.quotas.filter { $0.scope == .source }, source.limits, of: source.name.text, before.gates)
                lines[source.name] = before.lines[source.name] ?? Line()
                lines[source.name]?.quotas = source.quotas.map { source.key(of: $0) }
            }
            keep(Array(quotas.values), limits, of: account, before.gates)
        }
        readUsage()
    }

    /// Keeps the limits and quotas of an account or a source.
    private func keep(_ quotas: [Quota], _ limits: Limits, of owner: String, _ before: [String: Gate]) {
        for quota in quotas { book.keep(quota, as: QuotaKey(owner: owner, name: quota.name)) }
        gates[owner] = before[owner] ?? Gate()
        gates[owner]?.change(limits, perMinute: quotas.filter { $0.period == .minute }.map(\.limit).min())
    }

    /// The owners of the gates that a call passes.
    private static func owners(_ source: SourceName) -> [String] { [source.text, source.account] }

    private func gates(of source: SourceName) -> [Gate] { Self.owners(source).compactMap { gates[$0] } }

    // MARK: Starting

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
            if let quotas = lines[source]?.quotas, !quotas.isEmpty {
                charge = try await self.charge(quotas, of: source, for: demand)
                // Another source of the account may have used the rate in the meantime.
                try await waitForLimits(source, for: demand, isCharged: true, report: report)
            }
        } catch {
            if let charge { refund(charge) }
            throw error
        }
        return Pass(
            source: source,
            permits: Self.owners(source).compactMap { gates[$0]?.start(at: loop.now) },
            isProbe: lines[source]?.breaker.passed(at: loop.now) ?? false,
            charge: charge
        )
    }

    private func waitForLimits(
        _ source: SourceName,
        for demand: CallDemand,
        isCharged: Bool,
        report: CallReport
    ) async throws(SearchError) {
        var isReported = false
        while !Task.isCancelled {
            guard let obstacle = obstacle(source, demand.priority, for: isCharged ? nil : demand.users) else { return }
            guard let reason = obstacle.waitReason, let wait = obstacle.retryAfter,
                loop.now.advanced(by: wait) <= demand.deadline
            else {
                if obstacle.waitReason == nil, obstacle.error.kind == .unavailable { report(.breaker(.open)) }
                throw obstacle.error
            }
            if !isReported { report(.queued(reason, wait: wait)) }
            isReported = true
            lines[source]?.waiting += 1
            try? await loop.sleep(until: loop.now.advanced(by: wait))
            lines[source]?.waiting -= 1
        }
        throw .cancelled
    }

    /// Why the next call in a source's queue can't start now; `users` is nil once its quotas have been charged.
    private func obstacle(
        _ source: SourceName,
        _ priority: Priority,
        for users: Set<UInt32>?,
        behind others: Int = 0
    ) -> Skip? {
        let now = loop.now
        guard let line = lines[source] else { return .unknown(source) }
        if let until = line.breaker.obstacle(at: now) { return .breaker(source, wait: now.duration(to: until)) }
        if let pause = pause(of: source) { return .pause(source, pause, at: now) }
        if let users, case .failure(let refusal) = book.payer(line.quotas, users, priority, at: wallClock()) {
            return .quota(source, refusal)
        }
        let wait = delay(source, behind: others)
        return wait > .zero ? .rate(source, wait: wait) : nil
    }

    private func pause(of source: SourceName) -> Pause? {
        gates(of: source).map(\.pause).first { $0.isOn(at: loop.now) }
    }

    // MARK: Ending

    /// Records the end of a call; `sentAt` is nil if its request was never written.
    ///
    /// - Returns: Whether to retry.
    func ended(
        _ pass: Pass,
        _ error: SearchError?,
        sentAt: Instant?,
        _ backoff: inout Backoff,
        deadline: Instant,
        report: CallReport
    ) -> Backoff.Verdict {
        let (source, now) = (pass.source, loop.now)
        if sentAt == nil { giveBack(pass) }
        guard var line = lines[source] else { return .giveUp }
        let before = line.breaker.state
        if sentAt != nil { line.budget.called() }
        switch CallVerdict(error, wasSent: sentAt != nil) {
        case .alive:
            line.breaker.succeeded(probe: pass.isProbe)
            for owner in Self.owners(source) { gates[owner]?.pause.answered() }
            guard error == nil, let took = sentAt?.duration(to: now) else { break }
            line.budget.succeeded()
            line.usual = line.usual.map { $0 + (took - $0) / 4 } ?? took
        case .throttled:
            line.breaker.succeeded(probe: pass.isProbe)
            // The rate belongs to the account.
            gates[source.account]?.pause.asked(for: error?.retryAfter, because: .rateLimit, at: now)
        case .exhausted:
            line.breaker.succeeded(probe: pass.isProbe)
            exhausted(source, line.quotas, error)
        case .failing:
            line.breaker.failed(probe: pass.isProbe, at: now, jitter: jitter())
            if let wait = error?.retryAfter { gates[source.text]?.pause.asked(for: wait, because: .trouble, at: now) }
        case .nothing: line.breaker.abandoned(probe: pass.isProbe)
        }
        if line.breaker.state != before {
            report(.breaker(line.breaker.state))
            StateChange(line.breaker, of: source, at: now).map(reportChange)
        }
        var verdict = Backoff.Verdict.giveUp
        // With an open breaker the next call would be refused.
        if let error, line.breaker.state == .closed {
            verdict = backoff.failed(error, at: now, deadline: deadline, jitter: jitter(), budget: &line.budget)
        }
        lines[source] = line
        return verdict
    }

    private func giveBack(_ pass: Pass) {
        for (owner, permit) in zip(Self.owners(pass.source), pass.permits) { gates[owner]?.giveBack(permit) }
        if let charge = pass.charge { refund(charge) }
    }

    /// The source reports that a quota is used up: its own if it has one, or else its account's.
    private func exhausted(_ source: SourceName, _ quotas: [QuotaKey], _ error: SearchError?) {
        if gates[source.text]?.pause.repeats == 0 {
            let message = "\(source) says that its quota is used up\(error?.resetsAt.map { " until \($0)" } ?? "")"
            reportChange(StateChange(.quota, of: source, message, isTrouble: true))
        }
        var (wait, resetsAt) = (error?.retryAfter, error?.resetsAt)
        let wall = wallClock()
        if let rest = book.windowStart(of: quotas, at: wall).map({ $0 + Self.turnSeconds - wall }), rest > 0,
            wait.map({ $0 > .seconds(rest) }) ?? true
        {
            // The source's clock is late: it means the window that has already ended here.
            (wait, resetsAt) = (.seconds(rest), RFC3339.text(wall + rest))
        }
        let hasOwn = quotas.contains { $0.owner == source.text }
        for owner in hasOwn ? [source.text] : Self.owners(source) {
            gates[owner]?.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: loop.now)
        }
    }

    /// From 0 up to 1; only for failures, since it comes from the kernel.
    private func jitter() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

    // MARK: Counting

    /// Charges the quotas of a call to one of its users who may make it.
    private func charge(
        _ keys: [QuotaKey],
        of source: SourceName,
        for demand: CallDemand
    ) async throws(SearchError) -> QuotaCharge {
        // A refund may leave room for this call.
        await storing?.value
        let (wall, priority) = (wallClock(), demand.priority)
        let user: UInt32
        switch book.payer(keys, demand.users, priority, at: wall) {
        case .success(let payer): user = payer
        case .failure(let refusal): throw Skip.quota(source, refusal).error
        }
        book.begin(keys, for: user, at: wall)
        let answer: QuotaAnswer
        do throws(QuotaStoreError) {
            answer = try await store.charge(book.counted(keys), for: user, at: wall)
        } catch {
            book.takeBack(keys, for: user)
            noteStore(error)
            throw .uncounted(source, error)
        }
        noteStore(nil)
        book.received(answer, keys, for: user, at: wall)
        guard let charge = answer.charge else {
            // The book has recorded the used-up quota by now.
            if case .failure(let refusal) = book.payer(keys, [user], priority, at: wall) {
                throw Skip.quota(source, refusal).error
            }
            throw Skip.rate(source, wait: .seconds(1)).error
        }
        for figures in keys.compactMap({ book.figures($0, at: wall) }) where figures.left == 0 {
            let message = "quota \(figures.name) is used up until \(figures.resetsAt.text): \(figures.limit) calls"
            reportChange(StateChange(.quota, message, isTrouble: true))
        }
        return charge
    }

    private func refund(_ charge: QuotaCharge) {
        book.takeBack(charge.entries.map(\.key), for: charge.user)
        store { [store] _ in await store.refund(charge) }
    }

    /// Runs work on the store after all earlier work.
    private func store(_ work: @escaping @Sendable (RateLimiter) async -> Void) {
        storing = Task(executorPreference: loop) { [before = storing] in
            await before?.value
            await work(self)
        }
    }

    /// Asks the store for the usage of quotas that it has not answered yet.
    private func readUsage() {
        let unread = book.unread
        guard !unread.isEmpty else { return }
        store { limiter in await limiter.read(unread) }
    }

    private func read(_ quotas: [CountedQuota]) async {
        do throws(QuotaStoreError) {
            let overview = try await store.usage(quotas, at: wallClock())
            book.received(overview, of: quotas.map(\.key))
            noteStore(nil)
        } catch {
            noteStore(error)
        }
    }

    /// Reports once that calls can't be counted, and once that counting works again.
    private func noteStore(_ error: QuotaStoreError?) {
        let before = storeFailure
        storeFailure = error
        guard (before == nil) != (error == nil) else { return }
        guard let error else {
            reportChange(StateChange(.quota, "calls can be counted again", isTrouble: false))
            return readUsage()
        }
        let names = lines.filter { !$0.value.quotas.isEmpty }.map(\.key.text).sorted().joined(separator: ", ")
        let message = "\(error.message); not asked until calls can be counted: \(names). \(error.hint)"
        reportChange(StateChange(.quota, message, isTrouble: true))
    }

    /// Corrects the usage of every quota with this name; nil for an unknown name.
    package func setQuota(_ name: String, used: Int) async throws(QuotaStoreError) -> [QuotaFigures]? {
        let quotas = book.named(name)
        guard !quotas.isEmpty else { return nil }
        for quota in quotas {
            let usage = try await store.set(quota, used: used, at: wallClock())
            book.received(QuotaOverview(usages: [usage]), of: [quota.key])
        }
        noteStore(nil)
        return quotas.compactMap { book.figures($0.key, at: wallClock()) }
    }

    /// The names of all quotas.
    package var quotaNames: [String] { book.names }

    /// Waits until all refunds are written; for shutdown, after the last call.
    package func drain() async { await storing?.value }

    // MARK: Reporting

    /// How many calls to a source, and to its account, may run at once.
    package func slots(of source: SourceName) -> RequestThrottle.Slots {
        RequestThrottle.Slots(
            source: gates[source.text]?.slots ?? RequestThrottle.slotsDefault,
            account: gates[source.account]?.slots ?? .max
        )
    }

    /// Returns the delay that rates cause for a call with `others` calls before it.
    package func delay(_ source: SourceName, behind others: Int) -> Duration {
        let now = loop.now
        return now.duration(to: gates(of: source).reduce(now) { max($0, $1.earliest(at: now, behind: others)) })
    }

    /// Whether calls to a source may have to wait for one another or for a pause.
    func mayDelay(_ source: SourceName) -> Bool { gates(of: source).contains { $0.mayDelay(at: loop.now) } }

    /// Predicts the outcome of a user's calls to these sources, made now and in this order.
    package func outlooks(_ sources: [SourceName], _ priority: Priority, for user: UInt32) -> [SourceName: CallOutlook]
    {
        var outlooks: [SourceName: CallOutlook] = [:]
        // Sources of one account share its rate.
        var going: [String: Int] = [:]
        for source in sources {
            guard let line = lines[source] else { continue }
            let obstacle = obstacle(source, priority, for: [user], behind: going[source.account, default: 0])
            outlooks[source] = CallOutlook(obstacle: obstacle, usual: line.usual)
            if obstacle == nil { going[source.account, default: 0] += 1 }
        }
        return outlooks
    }

    /// How long to wait until a user's call does not delay interactive calls; nil when it may start now.
    package func spareWait(_ source: SourceName, for user: UInt32) -> Duration? {
        if let obstacle = obstacle(source, .background, for: [user]) { return obstacle.retryAfter ?? Self.spareLook }
        let now = loop.now
        let spare = gates(of: source).reduce(now) { max($0, $1.spare(at: now)) }
        return spare > now ? now.duration(to: spare) : nil
    }

    /// The state of every source.
    package func standings() -> [SourceName: SourceStanding] {
        lines.reduce(into: [:]) { $0[$1.key] = standing($1.key, $1.value) }
    }

    private func standing(_ source: SourceName, _ line: Line) -> SourceStanding {
        let now = loop.now
        var standing = SourceStanding(quotas: line.quotas.compactMap { book.figures($0, at: wallClock()) })
        if let openedAt = line.breaker.openedAt {
            standing.state = .suspended
            standing.lasting = openedAt.duration(to: now)
            standing.retryAfter = line.breaker.obstacle(at: now).map { now.duration(to: $0) }
        } else if let pause = pause(of: source) {
            standing.state = .waiting
            standing.lasting = pause.since.duration(to: now)
            standing.retryAfter = now.duration(to: pause.until)
        } else if line.waiting > 0 || standing.quotas.contains(where: { $0.left == 0 }) {
            standing.state = .waiting
        }
        return standing
    }
}

extension StateChange {
    /// Creates an event for an opened or closed breaker; nil for a breaker that is testing its source.
    fileprivate init?(_ breaker: Breaker, of source: SourceName, at now: Instant) {
        switch breaker.state {
        case .closed: self.init(.breaker, of: source, "calls to \(source) have resumed", isTrouble: false)
        case .open:
            let seconds = max(1, Int(now.duration(to: breaker.retryAt).milliseconds / 1000))
            let message = "\(source) is left alone for \(seconds) s: too many calls failed"
            self.init(.breaker, of: source, message, isTrouble: true)
        case .halfOpen: return nil
        }
    }
}
