package import Catalogue
package import EventLoop
import RPC
package import SearchModel

/// The third step of a call: decides when the call may start, and charges its quotas before it starts.
package actor RateLimiter: LoopActor {
    /// The caller must pass this value to `ended`.
    package struct StartedCall: Sendable {
        fileprivate let source: SourceName
        fileprivate let startedAt: Instant
        fileprivate let isProbe: Bool
        fileprivate let charge: QuotaCharge?
    }

    /// The state of one source.
    private struct Line {
        var breaker = Breaker()
        var budget = RetryBudget()
        var waiting = 0
        var quotas: [QuotaKey] = []
        /// A price above the quota's `cost`; the source is stopped until `cost` is at least this price.
        var overprice: (key: QuotaKey, price: Int)?
        var usual: Duration?
    }

    private static let startSlack = Duration.milliseconds(20)
    /// `spareWait` multiplies waits by this number, so background calls use a third of a rate.
    private static let spareShare = 3

    package nonisolated let loop: EventLoop
    private let store: any QuotaStore
    private let shared: (any SharedLimits)?
    private var sharedAccounts: Set<String> = []
    private let wallClock: @Sendable () -> Int64
    private var random: any RandomNumberGenerator & Sendable
    private let reportChange: @Sendable (StateChange) -> Void
    private var lines: [SourceName: Line] = [:]
    private var limits: [String: LimitState] = [:]
    private var book = QuotaBook()

    package private(set) var storeFailure: SearchError?

    /// If `shared` is given, it must be the same object as `store`.
    package init(
        on loop: EventLoop,
        store: any QuotaStore,
        shared: (any SharedLimits)? = nil,
        wallClock: @escaping @Sendable () -> Int64,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        changed: @escaping @Sendable (StateChange) -> Void = { _ in }
    ) {
        self.loop = loop
        self.store = store
        self.shared = shared
        self.wallClock = wallClock
        self.random = random
        reportChange = changed
    }

    // MARK: Sources

    /// Keeps the state of remaining sources; raises an account's limit to the highest limit of its sources.
    package func configure(_ sources: [UpstreamSource]) {
        let before = (lines: lines, limits: limits)
        (lines, limits) = ([:], [:])
        for (account, sources) in Dictionary(grouping: sources, by: \.source.account) {
            var (shared, quotas) = (sources.first?.source.shared.limits ?? Limits(), [String: Quota]())
            for source in sources {
                if let rate = shared.perSecond { shared.perSecond = max(rate, source.limits.perSecond ?? 0) }
                if let count = shared.concurrency { shared.concurrency = max(count, source.limits.concurrency ?? 0) }
                for quota in source.quotas where quota.scope == .account && quota.limit > quotas[quota.name]?.limit ?? 0
                {
                    quotas[quota.name] = quota
                }
                keep(source.quotas.filter { $0.scope == .source }, source.limits, of: source.name.text, before.limits)
                lines[source.name] = before.lines[source.name] ?? Line()
                lines[source.name]?.quotas = source.quotas.map { source.key(of: $0) }
            }
            keep(Array(quotas.values), shared, of: account, before.limits)
        }
        shareLimits(sources)
        readUsage()
    }

    /// Shares only accounts with a secret; without one, a source counts calls by IP address.
    private func shareLimits(_ sources: [UpstreamSource]) {
        guard let shared else { return }
        let accounts = Dictionary(grouping: sources, by: \.source.account).compactMap { name, sources in
            let secrets = sources.first?.access.secrets ?? [:]
            let keys = Set(sources.flatMap { source in source.quotas.map { source.key(of: $0) } })
            let owners = Set(sources.map(\.name.text) + [name]).sorted()
            let rates = owners.compactMap { owner in limits[owner].map { $0.shared(owner) } }
            return secrets.isEmpty
                ? nil : SharedAccount(name: name, secrets: secrets, quotas: book.counted(Array(keys)), rates: rates)
        }
        sharedAccounts = Set(accounts.map(\.name))
        shared.configure(accounts)
    }

    private func sharedLimits(of source: SourceName) -> (any SharedLimits)? {
        sharedAccounts.contains(source.account) ? shared : nil
    }

    private func keep(_ quotas: [Quota], _ declared: Limits, of owner: String, _ before: [String: LimitState]) {
        for quota in quotas {
            book.keep(quota, as: QuotaKey(owner: owner, name: quota.name, currency: quota.currency))
        }
        limits[owner] = before[owner] ?? LimitState()
        let minutes = quotas.filter { $0.period == .minute && $0.currency == nil }
        limits[owner]?.change(declared, perMinute: minutes.map(\.limit).min())
    }

    private static func owners(_ source: SourceName) -> [String] { [source.text, source.account] }

    // MARK: Starting

    /// Waits until the limits allow a call; throws as soon as the call would miss its deadline.
    package func start(
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> StartedCall {
        var charge: QuotaCharge?
        do throws(SearchError) {
            repeat {
                try await waitForLimits(source, for: demand, isCharged: false, report: report)
                guard let quotas = lines[source]?.quotas, !quotas.isEmpty || sharedLimits(of: source) != nil
                else { break }
                charge = try await self.charge(quotas, of: source, for: demand)
                guard let made = charge else { continue }
                // During the charge, another call may have used the rate.
                if try await !waitForPlace(made, source, for: demand, report: report) {
                    refund(made)
                    charge = nil
                }
            } while charge == nil
        } catch {
            if let charge { refund(charge) }
            throw error
        }
        // `giveBack` finds the call by this time.
        let now = loop.now
        for owner in Self.owners(source) { limits[owner]?.start(at: now) }
        return StartedCall(
            source: source,
            startedAt: now,
            isProbe: lines[source]?.breaker.passed(at: now) ?? false,
            charge: charge
        )
    }

    /// Returns false if the call missed the time that the shared rate gave to it.
    private func waitForPlace(
        _ charge: QuotaCharge,
        _ source: SourceName,
        for demand: CallDemand,
        report: CallReport
    ) async throws(SearchError) -> Bool {
        if let start = charge.start, start > loop.now {
            report(.queued(.rateLimit, wait: loop.now.duration(to: start)))
            do { try await loop.sleep(until: start) } catch { throw .cancelled }
        }
        try await waitForLimits(source, for: demand, isCharged: true, report: report)
        return charge.start.map { $0.advanced(by: Self.startSlack) >= loop.now } ?? true
    }

    private func sharedRates(of source: SourceName) -> [SharedRate] {
        Self.owners(source).compactMap { owner in limits[owner].map { $0.shared(owner) } }
    }

    private func waitForLimits(
        _ source: SourceName,
        for demand: CallDemand,
        isCharged: Bool,
        report: CallReport
    ) async throws(SearchError) {
        var isReported = false
        while !Task.isCancelled {
            guard let obstacle = obstacle(source, demand.urgency, for: isCharged ? nil : demand.users) else { return }
            guard let (reason, wait) = delay(by: obstacle, for: demand) else {
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

    private func delay(by obstacle: Skip, for demand: CallDemand) -> (reason: WaitReason, wait: Duration)? {
        guard let reason = obstacle.waitReason, let wait = obstacle.retryAfter,
            loop.now.advanced(by: wait) <= demand.deadline
        else { return nil }
        return (reason, wait)
    }

    package func refusal(_ source: SourceName, for demand: CallDemand) -> SearchError? {
        guard let obstacle = obstacle(source, demand.urgency, for: demand.users),
            delay(by: obstacle, for: demand) == nil
        else { return nil }
        return obstacle.error
    }

    /// `users` is nil once the call is charged.
    private func obstacle(
        _ source: SourceName,
        _ urgency: CallDemand.Caller,
        for users: Set<UInt32>?,
        behind others: Int = 0
    ) -> Skip? {
        let now = loop.now
        guard let line = lines[source] else { return Skip(reason: .suspended, error: .gone(source)) }
        if let stop = stop(of: source, line) { return stop }
        if let until = line.breaker.obstacle(at: now) { return .breaker(source, wait: now.duration(to: until)) }
        if let pause = pause(of: source) { return .pause(source, pause, at: now) }
        if let users, case .failure(let refusal) = book.payer(source, line.quotas, users, urgency, at: wallClock()) {
            return refusal
        }
        if let shared = sharedLimits(of: source) {
            if users != nil, let obstacle = shared.obstacle(source) { return obstacle }
            // The shared server checks the rates when it charges the call.
            if others == 0 { return nil }
        }
        let wait = delay(source, behind: others)
        return wait > .zero ? .rate(source, wait: wait) : nil
    }

    private func stop(of source: SourceName, _ line: Line) -> Skip? {
        guard let (key, price) = line.overprice, let quota = book.counted([key]).first?.quota, quota.cost < price
        else { return nil }
        return .overpriced(source, price, quota)
    }

    private func pause(of source: SourceName) -> Pause? {
        Self.owners(source).compactMap { limits[$0]?.pause }.first { $0.isOn(at: loop.now) }
    }

    // MARK: Ending

    /// Returns when to retry the call, or nil; `sentAt` is nil if the request was not sent.
    func ended(
        _ started: StartedCall,
        _ outcome: Result<Page, SearchError>,
        sentAt: Instant?,
        _ backoff: inout Backoff,
        deadline: Instant,
        report: CallReport
    ) -> Instant? {
        let (source, error, now) = (started.source, outcome.thrown, loop.now)
        if sentAt == nil { giveBack(started) }
        guard var line = lines[source] else { return nil }
        let before = line.breaker.state
        if sentAt != nil { line.budget.called() }
        switch CallVerdict(error, wasSent: sentAt != nil) {
        case .alive:
            line.breaker.succeeded(probe: started.isProbe)
            for owner in Self.owners(source) { limits[owner]?.pause.answered() }
            let pause = (try? outcome.get())?.pause
            if let pause { limits[source.account]?.pause.asked(for: pause, because: .rateLimit, at: now) }
            guard error == nil, let took = sentAt?.duration(to: now) else { break }
            line.budget.succeeded()
            line.usual = line.usual.map { $0 + (took - $0) / 4 } ?? took
        case .throttled:
            line.breaker.succeeded(probe: started.isProbe)
            limits[source.account]?.pause.asked(for: error?.retryAfter, because: .rateLimit, at: now)
            sharePause(of: source.account)
        case .exhausted:
            line.breaker.succeeded(probe: started.isProbe)
            exhausted(source, line.quotas, error)
        case .failing:
            line.breaker.failed(probe: started.isProbe, at: now, jitter: jitter())
            guard let wait = error?.retryAfter else { break }
            limits[source.text]?.pause.asked(for: wait, because: .suspended, at: now)
            sharePause(of: source.text)
        case .nothing: line.breaker.abandoned(probe: started.isProbe)
        }
        if line.breaker.state != before {
            report(.breaker(line.breaker.state))
            StateChange(line.breaker, of: source, at: now).map(reportChange)
            let wait = line.breaker.obstacle(at: now).map { now.duration(to: $0) } ?? .zero
            if line.breaker.state != .halfOpen { shared?.share(.breaker(source, wait: wait)) }
        }
        defer { lines[source] = line }
        guard let error, line.breaker.state == .closed else { return nil }
        return backoff.failed(error, at: now, deadline: deadline, jitter: jitter(), budget: &line.budget)
    }

    private func giveBack(_ started: StartedCall) {
        for owner in Self.owners(started.source) { limits[owner]?.giveBack(startedAt: started.startedAt) }
        if let charge = started.charge { refund(charge) }
    }

    /// Pauses the source; if it has no quota of its own, pauses the account, too.
    private func exhausted(_ source: SourceName, _ quotas: [QuotaKey], _ error: SearchError?) {
        if limits[source.text]?.pause.repeats == 0 {
            let message = "\(source) says that its quota is used up\(error?.resetsAt.map { " until \($0)" } ?? "")"
            reportChange(StateChange(.quota, of: source, message, isTrouble: true))
        }
        let (wait, end, now) = (error?.retryAfter, error?.resetsAt, loop.now)
        let hasOwn = quotas.contains { $0.owner == source.text }
        for owner in hasOwn ? [source.text] : Self.owners(source) {
            limits[owner]?.pause.asked(for: wait, because: .quotaExhausted, resetsAt: end, at: now)
            sharePause(of: owner)
        }
    }

    // MARK: Other hosts

    private func sharePause(of owner: String) {
        guard let pause = limits[owner]?.pause, sharedAccounts.contains(String(owner.prefix { $0 != "." })) else {
            return
        }
        let wait = loop.now.duration(to: pause.until)
        shared?.share(.pause(owner: owner, wait: wait, reason: pause.reason, resetsAt: pause.resetsAt))
    }

    package func follow(_ change: SharedChange) {
        let now = loop.now
        switch change {
        case .usage(let usages): book.received(usages)
        case .pause(let owner, let wait, let reason, let reset):
            limits[owner]?.pause.follow(for: wait, because: reason, resetsAt: reset, at: now)
        case .breaker(let source, let wait):
            guard var breaker = lines[source]?.breaker else { return }
            let before = breaker.state
            breaker.follow(openUntil: wait > .zero ? now.advanced(by: wait * (1 + jitter() / 4)) : nil, at: now)
            lines[source]?.breaker = breaker
            if breaker.state != before { StateChange(breaker, of: source, at: now).map(reportChange) }
        }
    }

    private func jitter() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

    // MARK: Counting

    private func charge(
        _ keys: [QuotaKey],
        of source: SourceName,
        for demand: CallDemand
    ) async throws(SearchError) -> QuotaCharge? {
        let wall = wallClock()
        guard case .success(let user) = book.payer(source, keys, demand.users, demand.urgency, at: wall)
        else { return nil }
        book.begin(keys, for: user, at: wall)
        let counted = book.counted(keys)
        var made: QuotaCharge?
        defer {
            if made == nil { for quota in counted { book.add(-quota.quota.cost, to: quota.key, for: user) } }
        }
        if let shared = sharedLimits(of: source) {
            let left = max(.zero, loop.now.duration(to: demand.deadline))
            made = try await shared.charge(counted, sharedRates(of: source), of: source, within: left, for: user)
        } else {
            do throws(SearchError) {
                made = try await store.charge(counted, for: user)
            } catch {
                noteStore(error)
                throw .uncounted(source, error)
            }
            noteStore(nil)
        }
        guard let charge = made else { return nil }
        book.received(charge, at: wall)
        guard charge.isAccepted else { return nil }
        for figures in keys.compactMap({ book.figures($0, at: wall) }) where figures.isUsedUp {
            let limit = figures.quota.text(figures.limit)
            let message = "quota \(figures.name) is used up until \(figures.resetsAt.text): \(limit)"
            reportChange(StateChange(.quota, message, isTrouble: true))
        }
        return charge
    }

    private func refund(_ charge: QuotaCharge) {
        correct(charge, by: charge.amounts.map { -$0 })
    }

    private func correct(_ charge: QuotaCharge, by amounts: [Int]) {
        for (usage, amount) in zip(charge.usages, amounts) { book.add(amount, to: usage.key, for: charge.user) }
        store.correct(charge, by: amounts)
        // An older response of the store can still arrive. It lacks this correction, so the usage is read again.
        let counted = book.counted(charge.usages.map(\.key))
        Task(executorPreference: loop) { await self.read(counted) }
    }

    /// Corrects the charge to the cost in the response; stops the source if the call cost more than charged.
    func settle(_ started: StartedCall, _ bill: Bill) {
        guard let charge = started.charge else { return }
        let amounts = zip(charge.usages, charge.amounts).map { usage, charged in
            (bill.costs[usage.key.name] ?? charged) - charged
        }
        if amounts.contains(where: { $0 != 0 }) { correct(charge, by: amounts) }
        for (index, usage) in charge.usages.enumerated() {
            guard let counted = book.counted([usage.key]).first else { continue }
            if amounts[index] > 0, var line = lines[started.source] {
                line.overprice = (usage.key, charge.amounts[index] + amounts[index])
                lines[started.source] = line
                let message = stop(of: started.source, line)?.error.message
                reportChange(StateChange(.quota, of: started.source, message ?? "", isTrouble: true))
            }
            guard let left = bill.left[usage.key.name] else { continue }
            Task(executorPreference: loop) { await self.raise(counted, to: counted.quota.limit - left) }
        }
    }

    private func raise(_ counted: CountedQuota, to used: Int) async {
        guard let known = book.figures(counted.key, at: wallClock())?.used, used > known else { return }
        if let usage = try? await store.set(counted, used: used, isMinimum: true) { book.received([usage]) }
    }

    private func readUsage() {
        let unread = book.unread
        if !unread.isEmpty { Task(executorPreference: loop) { await self.read(unread) } }
    }

    private func read(_ quotas: [CountedQuota]) async {
        do throws(SearchError) {
            let (usages, callers) = try await store.usage(quotas)
            book.received(usages, callers)
            noteStore(nil)
        } catch {
            noteStore(error)
        }
    }

    private func noteStore(_ error: SearchError?) {
        let before = storeFailure
        storeFailure = error
        guard (before == nil) != (error == nil) else { return }
        guard let error else {
            reportChange(StateChange(.quota, "calls can be counted again", isTrouble: false))
            return readUsage()
        }
        let names = lines.filter { !$0.value.quotas.isEmpty }.map(\.key.text).sorted().joined(separator: ", ")
        let message = "\(error.message). Sources that are not called meanwhile: \(names). \(error.hint ?? "")"
        reportChange(StateChange(.quota, message, isTrouble: true))
    }

    /// Sets the usage, and ends pauses due to used-up quotas; `used` is in millionths of a call or of the currency.
    package func setQuota(_ name: String, used: Int) async throws(SearchError) -> [QuotaFigures] {
        let quotas = book.named(name)
        for quota in quotas {
            let usage = try await store.set(quota, used: quota.quota.amount(ofMillionths: used), isMinimum: false)
            book.received([usage])
            for owner in limits.keys where QuotaKey(owner: owner, name: name).account == quota.key.account {
                limits[owner]?.pause.quotaWasSet()
            }
        }
        noteStore(nil)
        return quotas.compactMap { book.figures($0.key, at: wallClock()) }
    }

    package var quotaNames: [String] { book.names }

    package func quotas(named name: String) -> [Quota] { book.named(name).map(\.quota) }

    // MARK: Reporting

    package func slots(of source: SourceName) -> RequestThrottle.Slots {
        (limits[source.text]?.slots ?? RequestThrottle.slotsDefault, limits[source.account]?.slots ?? .max)
    }

    package func delay(_ source: SourceName, behind others: Int, leavesHalf: Bool = false) -> Duration {
        let now = loop.now
        let starts = Self.owners(source).compactMap { owner in
            limits[owner]?.earliest(at: now, behind: others, leavesHalf: leavesHalf)
        }
        return now.duration(to: starts.max() ?? now)
    }

    /// Predicts the outcome of one call to each source, in this order, for a search that names no source.
    package func outlooks(_ sources: [SourceName], _ priority: Priority, for user: UInt32) -> [SourceName:
        CallPrediction]
    {
        let urgency = CallDemand.Caller(priority: priority, isNamed: false)
        var outlooks: [SourceName: CallPrediction] = [:]
        var going: [String: Int] = [:]
        for source in sources {
            guard let line = lines[source] else { continue }
            let obstacle = obstacle(source, urgency, for: [user], behind: going[source.account, default: 0])
            outlooks[source] = CallPrediction(obstacle: obstacle, usual: line.usual)
            if obstacle == nil { going[source.account, default: 0] += 1 }
        }
        return outlooks
    }

    /// Returns how long a background call must wait, to leave capacity for interactive calls.
    package func spareWait(_ source: SourceName, for user: UInt32) -> Duration? {
        if let obstacle = obstacle(source, CallDemand.Caller(priority: .background), for: [user]),
            obstacle.reason != .rateLimit
        {
            return obstacle.retryAfter ?? .seconds(1)
        }
        let wait = delay(source, behind: 0, leavesHalf: true)
        return wait > .zero ? wait * Self.spareShare : nil
    }

    package func standings() -> [SourceName: SourceAvailability] {
        lines.reduce(into: [:]) { $0[$1.key] = standing($1.key, $1.value) }
    }

    private func standing(_ source: SourceName, _ line: Line) -> SourceAvailability {
        let now = loop.now
        let wall = wallClock()
        var standing = SourceAvailability(quotas: line.quotas.compactMap { book.figures($0, at: wall) })
        if let pause = pause(of: source), pause.reason == .quotaExhausted {
            let wait = now.duration(to: pause.until)
            standing.quotas.noteUsedUp(until: wall + wait.components.seconds, pause.resetsAt)
        }
        if let openedAt = line.breaker.openedAt {
            standing.state = .suspended
            standing.lasting = openedAt.duration(to: now)
            standing.retryAfter = line.breaker.obstacle(at: now).map { now.duration(to: $0) }
        } else if let stop = stop(of: source, line) {
            (standing.state, standing.stopped) = (.suspended, stop.error.message)
        } else if let pause = pause(of: source) {
            standing.state = .waiting
            standing.lasting = pause.since.duration(to: now)
            standing.retryAfter = now.duration(to: pause.until)
        } else if line.waiting > 0 || standing.quotas.contains(where: \.isUsedUp) {
            standing.state = .waiting
        }
        return standing
    }
}

extension StateChange {
    fileprivate init?(_ breaker: Breaker, of source: SourceName, at now: Instant) {
        switch breaker.state {
        case .closed: self.init(.breaker, of: source, "calls to \(source) have resumed", isTrouble: false)
        case .open:
            let seconds = max(1, Int(now.duration(to: breaker.retryAt).milliseconds / 1000))
            let message = "\(source) is suspended for \(seconds) s: too many calls failed"
            self.init(.breaker, of: source, message, isTrouble: true)
        case .halfOpen: return nil
        }
    }
}
