import Catalogue
import EventLoop
import RPC
import SearchModel

/// When calls to sources may start: all decisions about limits, without their effects.
///
/// Pure. `wall` is the time in seconds since 1970. Invariant: a call that has started took of the rates of its source
/// and its account; what it took is given back unless it was sent.
struct LimitTable: Sendable {
    /// One source.
    struct Line: Sendable {
        var breaker = Breaker()
        var budget = RetryBudget()
        /// How many calls may run at once.
        var slots = RequestThrottle.slotsDefault
        /// All quotas that a call uses.
        var quotas: [QuotaKey] = []
        /// Whether it has a quota of its own, so that one that is used up may not be the account's.
        var hasOwnQuota = false
        /// How long answers take, each moving it a quarter of the way; nil before the first.
        var usual: Duration?
    }

    /// A call that has started.
    struct Started: Sendable {
        let source: SourceName
        let permits: [Gate.Permit]
        /// Whether it finds out if the source works again.
        let isProbe: Bool
        var sentAt: Instant?
    }

    enum Decision: Sendable {
        case start
        case wait(until: Instant, WaitReason, SearchError)
        case refuse(SearchError)
    }

    /// How long after the turn of a window a source may still count the one before.
    private static let turnSeconds: Int64 = 120
    /// How much earlier than the end of a window a wait until then may end, rounded on the way.
    private static let roundingSeconds: Int64 = 5
    /// When to look again if it is not known when a call would be spare.
    private static let spareLook = Duration.milliseconds(250)

    private var lines: [SourceName: Line] = [:]
    /// By account, and by source.
    private var gates: [String: Gate] = [:]
    /// How many calls of all sources of an account may run at once.
    private var accountSlots: [String: Int] = [:]
    var book = QuotaBook()

    // MARK: Sources

    /// Replaces the sources and their limits; keeps what is known of sources that stay.
    ///
    /// A limit that the configuration raises for one source raises the account's limit with it.
    mutating func configure(_ sources: [UpstreamSource]) {
        let before = self
        (lines, gates, accountSlots) = ([:], [:], [:])
        for (account, sources) in Dictionary(grouping: sources, by: \.source.account) {
            var quotas: [String: Quota] = [:]
            for quota in sources.flatMap(\.quotas) where quota.scope == .account {
                if quotas[quota.name].map({ $0.limit < quota.limit }) ?? true { quotas[quota.name] = quota }
            }
            for quota in quotas.values { book.keep(quota, as: QuotaKey(owner: account, name: quota.name)) }
            let limits = Self.sharedLimits(sources)
            accountSlots[account] = limits.concurrency
            gates[account] = before.gates[account] ?? Gate()
            gates[account]?.change(limits, perMinute: Self.perMinute(quotas.values))
            for source in sources { configure(source, before) }
        }
    }

    private mutating func configure(_ source: UpstreamSource, _ before: LimitTable) {
        let (name, quotas) = (source.name, source.quotas)
        let own = quotas.filter { $0.scope == .source }
        for quota in own { book.keep(quota, as: source.key(of: quota)) }
        gates[name.text] = before.gates[name.text] ?? Gate()
        gates[name.text]?.change(source.limits, perMinute: Self.perMinute(own))
        var line = before.lines[name] ?? Line()
        line.slots = source.limits.concurrency ?? RequestThrottle.slotsDefault
        line.quotas = quotas.map { source.key(of: $0) }
        line.hasOwnQuota = !own.isEmpty
        lines[name] = line
    }

    /// The limits of an account: what its file says, or more where the configuration lets one of its sources do more.
    private static func sharedLimits(_ sources: [UpstreamSource]) -> Limits {
        var shared = sources.first?.source.accountLimits ?? Limits()
        for source in sources {
            if let rate = shared.perSecond { shared.perSecond = max(rate, source.limits.perSecond ?? 0) }
            if let count = shared.concurrency { shared.concurrency = max(count, source.limits.concurrency ?? 0) }
        }
        return shared
    }

    private static func perMinute(_ quotas: some Sequence<Quota>) -> Int? {
        quotas.filter { $0.period == .minute }.map(\.limit).min()
    }

    /// The sources that wait while calls can't be counted.
    var sourcesWithQuota: [SourceName] { lines.filter { !$0.value.quotas.isEmpty }.keys.sorted { $0.text < $1.text } }

    func quotas(of source: SourceName) -> [QuotaKey] { lines[source]?.quotas ?? [] }

    func slots(of source: SourceName) -> RequestThrottle.Slots {
        RequestThrottle.Slots(
            source: lines[source]?.slots ?? RequestThrottle.slotsDefault,
            account: accountSlots[source.account] ?? .max
        )
    }

    /// The gates that a call passes.
    private func gates(of source: SourceName) -> [Gate] { Self.owners(source).compactMap { gates[$0] } }

    private static func owners(_ source: SourceName) -> [String] { [source.text, source.account] }

    // MARK: Deciding

    /// Whether a call to a source may start now; `users` is nil for a call whose quotas have been charged.
    func decide(
        _ source: SourceName,
        _ priority: Priority,
        for users: Set<UInt32>?,
        at now: Instant,
        _ wall: Int64
    ) -> Decision {
        guard let line = lines[source] else { return .refuse(LimitErrors.unknown(source)) }
        if let until = line.breaker.obstacle(at: now) {
            return .refuse(LimitErrors.breaker(source, wait: now.duration(to: until)))
        }
        if let users, let refusal = book.refusal(line.quotas, for: users, priority, at: wall) {
            let until = now.advanced(by: .seconds(refusal.wait))
            return .wait(until: until, .rateLimit, LimitErrors.quota(source, refusal))
        }
        let gates = gates(of: source)
        let until = Self.earliest(gates, priority, at: now)
        let reason = gates.contains { $0.pause.isOn(at: now) } ? WaitReason.retryAfter : .rateLimit
        return until > now ? .wait(until: until, reason, Self.late(source, gates, until, at: now)) : .start
    }

    /// When the rates allow a call behind so many others.
    private static func earliest(
        _ gates: [Gate],
        _ priority: Priority,
        behind others: Int = 0,
        at now: Instant
    ) -> Instant {
        gates.reduce(now) { max($0, $1.earliest(at: now, priority, behind: others)) }
    }

    private static func late(_ source: SourceName, _ gates: [Gate], _ until: Instant, at now: Instant) -> SearchError {
        gates.first { $0.pause.isOn(at: now) }.map { LimitErrors.pause(source, $0.pause, at: now) }
            ?? LimitErrors.rate(source, wait: now.duration(to: until))
    }

    /// How long the rates delay a call behind so many others.
    func delay(_ source: SourceName, _ priority: Priority, behind others: Int, at now: Instant) -> Duration {
        now.duration(to: Self.earliest(gates(of: source), priority, behind: others, at: now))
    }

    /// Whether calls to a source may have to wait for one another or for a pause.
    func mayDelay(_ source: SourceName, at now: Instant) -> Bool {
        gates(of: source).contains { $0.mayDelay(at: now) }
    }

    // MARK: Calling

    /// Counts a call that waits for the rate, or that waits no longer.
    mutating func wait(_ source: SourceName, _ priority: Priority, _ change: Int) {
        for owner in Self.owners(source) { gates[owner]?.wait(priority, change) }
    }

    /// A call starts, which `decide` allowed.
    mutating func start(_ source: SourceName, at now: Instant) -> Started {
        Started(
            source: source,
            permits: Self.owners(source).compactMap { gates[$0]?.start(at: now) },
            isProbe: lines[source]?.breaker.passed(at: now) ?? false
        )
    }

    /// The request of a call is written.
    mutating func sent(_ source: SourceName) { lines[source]?.budget.called() }

    /// What the end of a call means.
    struct Ended {
        /// The breaker's new state, if it has changed.
        var breaker: Breaker.State?
        /// Quotas that the source reports as used up.
        var usedUp: [CountedQuota] = []
        /// Whether the source has not said so since its last good answer.
        var isNews = false
    }

    /// A call has ended; `jitter`, from 0 up to 1, is for the breaker's pause.
    mutating func ended(_ call: Started, _ error: SearchError?, jitter: Double, at now: Instant, _ wall: Int64) -> Ended
    {
        let source = call.source
        for (owner, permit) in zip(Self.owners(source), call.permits) {
            gates[owner]?.end(permit, wasSent: call.sentAt != nil)
        }
        guard var line = lines[source] else { return Ended() }
        let before = line.breaker.state
        var ended = Ended()
        switch CallVerdict(error, wasSent: call.sentAt != nil) {
        case .alive:
            line.breaker.succeeded(probe: call.isProbe)
            for owner in Self.owners(source) { gates[owner]?.pause.answered() }
            guard error == nil, let sentAt = call.sentAt else { break }
            line.budget.succeeded()
            let took = sentAt.duration(to: now)
            line.usual = line.usual.map { $0 + (took - $0) / 4 } ?? took
        case .throttled:
            line.breaker.succeeded(probe: call.isProbe)
            // The rate is the account's.
            gates[source.account]?.pause.asked(for: error?.retryAfter, because: .rateLimit, at: now)
        case .exhausted:
            line.breaker.succeeded(probe: call.isProbe)
            ended.isNews = gates[source.text]?.pause.repeats == 0
            ended.usedUp = exhausted(source, line, error, at: now, wall)
        case .failing:
            line.breaker.failed(probe: call.isProbe, at: now, jitter: jitter)
            if let wait = error?.retryAfter { gates[source.text]?.pause.asked(for: wait, because: .trouble, at: now) }
        case .nothing: line.breaker.abandoned(probe: call.isProbe)
        }
        if line.breaker.state != before { ended.breaker = line.breaker.state }
        lines[source] = line
        return ended
    }

    /// The source reports that a quota is used up: its own, or else its account's.
    private mutating func exhausted(
        _ source: SourceName,
        _ line: Line,
        _ error: SearchError?,
        at now: Instant,
        _ wall: Int64
    ) -> [CountedQuota] {
        var (wait, resetsAt) = (error?.retryAfter, error?.resetsAt)
        if let age = book.ageOfWindow(line.quotas, at: wall), (0..<Self.turnSeconds).contains(age),
            wait.map({ $0 > .seconds(Self.turnSeconds - age) }) ?? true
        {
            // Its clock is behind: it means the window that is over here.
            let rest = Self.turnSeconds - age
            (wait, resetsAt) = (.seconds(rest), RFC3339.text(wall + rest))
        }
        for owner in line.hasOwnQuota ? [source.text] : Self.owners(source) {
            gates[owner]?.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: now)
        }
        guard let wait else { return [] }
        let quotas = line.quotas.filter { !line.hasOwnQuota || $0.owner == source.text }
        return book.reportedUsedUp(quotas, for: wait.components.seconds + Self.roundingSeconds, at: wall)
    }

    /// Whether a call that failed is made again.
    mutating func failed(
        _ source: SourceName,
        _ error: SearchError,
        _ backoff: inout Backoff,
        deadline: Instant,
        jitter: Double,
        at now: Instant
    ) -> Backoff.Verdict {
        // With an open breaker it would be refused.
        guard var line = lines[source], line.breaker.state == .closed else { return .giveUp }
        defer { lines[source] = line }
        return backoff.failed(error, at: now, deadline: deadline, jitter: jitter, budget: &line.budget)
    }

    // MARK: Reporting

    /// How a user's call to a source would fare behind so many others to its account; nil for an unknown source.
    func outlook(
        _ source: SourceName,
        _ priority: Priority,
        for user: UInt32,
        behind others: Int,
        at now: Instant,
        _ wall: Int64
    ) -> CallOutlook? {
        guard let line = lines[source] else { return nil }
        func outlook(_ reason: SkipReason, _ error: SearchError) -> CallOutlook {
            CallOutlook(obstacle: Skip(reason: reason, error: error), usual: line.usual)
        }
        if let until = line.breaker.obstacle(at: now) {
            return outlook(.suspended, LimitErrors.breaker(source, wait: now.duration(to: until)))
        }
        let gates = gates(of: source)
        if let pause = gates.map(\.pause).first(where: { $0.isOn(at: now) && $0.reason != .rateLimit }) {
            let reason = pause.reason == .quota ? SkipReason.quotaExhausted : .suspended
            return outlook(reason, LimitErrors.pause(source, pause, at: now))
        }
        if let refusal = book.refusal(line.quotas, for: [user], priority, at: wall) {
            return outlook(.quotaExhausted, LimitErrors.quota(source, refusal))
        }
        let until = Self.earliest(gates, priority, behind: others, at: now)
        guard until > now else { return CallOutlook(obstacle: nil, usual: line.usual) }
        return outlook(.rateLimit, Self.late(source, gates, until, at: now))
    }

    /// How long to wait until a user's call takes nothing that interactive calls might want; nil when it may start now.
    func spareWait(_ source: SourceName, for user: UInt32, at now: Instant, _ wall: Int64) -> Duration? {
        let outlook = outlook(source, .background, for: user, behind: 0, at: now, wall)
        guard let outlook, outlook.obstacle == nil else { return outlook?.obstacle?.retryAfter ?? Self.spareLook }
        let gates = gates(of: source)
        guard gates.allSatisfy({ $0.running == 0 && $0.interactiveWaiting == 0 }) else { return Self.spareLook }
        let spare = gates.reduce(now) { max($0, $1.spare(at: now)) }
        return spare > now ? now.duration(to: spare) : nil
    }

    /// The state of every source.
    func standings(at now: Instant, _ wall: Int64) -> [SourceName: SourceStanding] {
        lines.reduce(into: [:]) { $0[$1.key] = standing($1.key, $1.value, at: now, wall) }
    }

    private func standing(_ source: SourceName, _ line: Line, at now: Instant, _ wall: Int64) -> SourceStanding {
        let quotas = line.quotas.compactMap { book.figures($0, at: wall) }
        if let openedAt = line.breaker.openedAt {
            return SourceStanding(
                state: .open,
                lasting: openedAt.duration(to: now),
                retryAfter: line.breaker.obstacle(at: now).map { now.duration(to: $0) },
                quotas: quotas
            )
        }
        if let pause = gates(of: source).map(\.pause).first(where: { $0.isOn(at: now) }) {
            return SourceStanding(
                state: .waiting,
                lasting: pause.since.duration(to: now),
                retryAfter: now.duration(to: pause.until),
                quotas: quotas
            )
        }
        let isWaiting = gates[source.text]?.waiting ?? 0 > 0 || quotas.contains { $0.left == 0 }
        return SourceStanding(state: isWaiting ? .waiting : .free, lasting: nil, quotas: quotas)
    }
}
