import Catalogue
import EventLoop
import RPC
import SearchModel

/// When calls to sources may start: all decisions about limits, without their effects.
///
/// Pure. Invariant: a call that has started took of the rates of its source and its account; what it took is given back
/// unless it was sent.
struct LimitTable: Sendable {
    struct Account: Sendable {
        var gate: Gate
        var sources: [SourceName: Line] = [:]
        /// How many calls of all its sources may run at once.
        var slots = Int.max
        /// Interactive calls that wait for the rate; background calls go after them.
        var interactiveWaiting = 0
        /// Calls that have started and not ended.
        var running = 0
    }

    /// One source.
    struct Line: Sendable {
        let name: SourceName
        var gate: Gate
        var breaker = Breaker()
        var budget = RetryBudget()
        /// How many calls may run at once.
        var slots = RequestThrottle.slotsDefault
        /// Calls that wait for the rate, and the interactive ones of them.
        var waiting = 0
        var interactiveWaiting = 0
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
        let permit: Gate.Permit
        let accountPermit: Gate.Permit
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
    static let turnSeconds: Int64 = 120
    /// How much earlier than the end of a window a wait until then may end, rounded on the way.
    static let roundingSeconds: Int64 = 5
    /// How often in a row a source says that a quota is used up, and to ask again before its end, until it is believed.
    static let doubtsMax = 8
    /// When to look again if it is not known when a call would be spare.
    private static let spareLook = Duration.milliseconds(250)

    private(set) var accounts: [String: Account] = [:]
    var book = QuotaBook()

    subscript(source: SourceName) -> Line? { accounts[source.account]?.sources[source] }

    // MARK: Sources

    /// Replaces the sources and their limits; keeps what is known of sources that stay.
    ///
    /// A limit that the configuration raises for one source raises the account's limit with it.
    mutating func configure(_ sources: [UpstreamSource]) {
        let byAccount = Dictionary(grouping: sources) { $0.source.account }
        for name in accounts.keys where byAccount[name] == nil { accounts[name] = nil }
        for (name, sources) in byAccount { configure(name, sources) }
    }

    private mutating func configure(_ name: String, _ sources: [UpstreamSource]) {
        let shared = Self.sharedLimits(sources)
        var quotas: [String: Quota] = [:]
        for quota in sources.flatMap(\.quotas) where quota.scope == .account {
            let known = quotas[quota.name].map { $0.limit >= quota.limit } ?? false
            if !known { quotas[quota.name] = quota }
        }
        let perMinute = Self.perMinute(quotas.values)
        var account = accounts[name] ?? Account(gate: Gate(shared, perMinute: perMinute))
        account.gate.change(shared, perMinute: perMinute)
        account.slots = shared.concurrency ?? .max
        let names = Set(sources.map(\.name))
        account.sources = account.sources.filter { names.contains($0.key) }
        for quota in quotas.values { book.keep(quota, as: QuotaKey(owner: name, name: quota.name)) }
        for source in sources { account.sources[source.name] = line(for: source, account) }
        accounts[name] = account
    }

    private mutating func line(for source: UpstreamSource, _ account: Account) -> Line {
        let quotas = source.quotas
        let own = quotas.filter { $0.scope == .source }
        for quota in own { book.keep(quota, as: source.key(of: quota)) }
        let perMinute = Self.perMinute(own)
        let name = source.name
        var line = account.sources[name] ?? Line(name: name, gate: Gate(source.limits, perMinute: perMinute))
        line.gate.change(source.limits, perMinute: perMinute)
        line.slots = source.limits.concurrency ?? RequestThrottle.slotsDefault
        line.quotas = quotas.map { source.key(of: $0) }
        line.hasOwnQuota = !own.isEmpty
        return line
    }

    /// The limits of an account: what its file says, or more where the configuration lets one of its sources do more.
    private static func sharedLimits(_ sources: [UpstreamSource]) -> Limits {
        var shared = sources.first?.source.accountLimits ?? Limits()
        for source in sources {
            if let rate = shared.perSecond, let own = source.limits.perSecond, own > rate { shared.perSecond = own }
            if let count = shared.concurrency, let own = source.limits.concurrency, own > count {
                shared.concurrency = own
            }
        }
        return shared
    }

    private static func perMinute(_ quotas: some Sequence<Quota>) -> Int? {
        quotas.filter { $0.period == .minute }.map(\.limit).min()
    }

    // MARK: Deciding

    /// Whether a call to a source may start now; `users` is nil for a call whose quotas have been charged.
    func decide(
        _ source: SourceName,
        _ priority: Priority,
        for users: [UInt32]?,
        at now: Instant,
        _ time: QuotaTime
    ) -> Decision {
        guard let account = accounts[source.account], let line = account.sources[source] else {
            return .refuse(LimitErrors.unknown(source))
        }
        if let until = line.breaker.obstacle(at: now) {
            return .refuse(LimitErrors.breaker(source, wait: now.duration(to: until)))
        }
        if let users, let refusal = refusal(line, priority, for: users, time) {
            let until = now.advanced(by: .seconds(refusal.wait))
            return .wait(until: until, .rateLimit, LimitErrors.quota(source, refusal))
        }
        let (until, reason) = earliest(line, account, priority, at: now)
        return until > now ? .wait(until: until, reason, late(line, account, until, at: now)) : .start
    }

    /// Why none of these users may use the source's quotas; nil when one of them may.
    private func refusal(
        _ line: Line,
        _ priority: Priority,
        for users: [UInt32],
        _ time: QuotaTime
    ) -> QuotaBook.Refusal? {
        guard !line.quotas.isEmpty else { return nil }
        var first: QuotaBook.Refusal?
        for user in users {
            let isBackground = priority == .background
            guard let refusal = book.refusal(line.quotas, for: user, isBackground: isBackground, at: time) else {
                return nil
            }
            first = first ?? refusal
        }
        return first
    }

    /// When the rates allow a call behind so many others, and what it waits for until then.
    private func earliest(
        _ line: Line,
        _ account: Account,
        _ priority: Priority,
        behind others: Int = 0,
        at now: Instant
    ) -> (Instant, WaitReason) {
        let isBackground = priority == .background
        let ahead = others + (isBackground ? line.interactiveWaiting : 0)
        let allAhead = others + (isBackground ? account.interactiveWaiting : 0)
        let isPaused = line.gate.pause.isOn(at: now) || account.gate.pause.isOn(at: now)
        return (
            max(line.gate.earliest(at: now, behind: ahead), account.gate.earliest(at: now, behind: allAhead)),
            isPaused ? .retryAfter : .rateLimit
        )
    }

    private func late(_ line: Line, _ account: Account, _ until: Instant, at now: Instant) -> SearchError {
        for pause in [line.gate.pause, account.gate.pause] where pause.isOn(at: now) {
            return LimitErrors.pause(line.name, pause, at: now)
        }
        return LimitErrors.rate(line.name, wait: now.duration(to: until))
    }

    /// How long the rates delay a call behind so many others.
    func delay(_ source: SourceName, _ priority: Priority, behind others: Int, at now: Instant) -> Duration {
        guard let account = accounts[source.account], let line = account.sources[source] else { return .zero }
        return max(.zero, now.duration(to: earliest(line, account, priority, behind: others, at: now).0))
    }

    // MARK: Calling

    /// Counts calls that wait for the rate.
    mutating func waits(_ source: SourceName, _ priority: Priority, _ change: Int) {
        // A source that was removed and added again begins with none.
        guard var account = accounts[source.account], var line = account.sources[source] else { return }
        line.waiting = max(0, line.waiting + change)
        if priority == .interactive {
            line.interactiveWaiting = max(0, line.interactiveWaiting + change)
            account.interactiveWaiting = max(0, account.interactiveWaiting + change)
        }
        account.sources[source] = line
        accounts[source.account] = account
    }

    /// A call starts, which `decide` allowed; nil when its source was removed.
    mutating func start(_ source: SourceName, at now: Instant) -> Started? {
        guard self[source] != nil, let accountPermit = accounts[source.account]?.gate.start(at: now),
            let permit = accounts[source.account]?.sources[source]?.gate.start(at: now),
            let isProbe = accounts[source.account]?.sources[source]?.breaker.passed(at: now)
        else { return nil }
        accounts[source.account]?.running += 1
        return Started(source: source, permit: permit, accountPermit: accountPermit, isProbe: isProbe)
    }

    /// The request of a call is written.
    mutating func sent(_ call: Started) {
        accounts[call.source.account]?.gate.sent(call.accountPermit)
        accounts[call.source.account]?.sources[call.source]?.gate.sent(call.permit)
        accounts[call.source.account]?.sources[call.source]?.budget.called()
    }

    /// What the end of a call means.
    struct Ended {
        /// The breaker's new state, if it has changed.
        var breaker: Breaker.State?
        /// Quotas that the source reports as used up.
        var usedUp: [CountedQuota] = []
    }

    /// A call has ended; `jitter`, from 0 up to 1, is for the breaker's pause.
    mutating func ended(
        _ call: Started,
        _ error: SearchError?,
        jitter: Double,
        at now: Instant,
        _ time: QuotaTime
    ) -> Ended {
        let name = call.source.account
        guard var account = accounts[name] else { return Ended() }
        account.running = max(0, account.running - 1)
        if call.sentAt == nil { account.gate.giveBack(call.accountPermit) }
        guard var line = account.sources[call.source] else {
            accounts[name] = account
            return Ended()
        }
        if call.sentAt == nil { line.gate.giveBack(call.permit) }
        let before = line.breaker.state
        var ended = Ended()
        switch CallVerdict(error, wasSent: call.sentAt != nil) {
        case .alive:
            line.breaker.succeeded(probe: call.isProbe)
            line.gate.pause.answered()
            account.gate.pause.answered()
            guard error == nil, let sentAt = call.sentAt else { break }
            line.budget.succeeded()
            let took = sentAt.duration(to: now)
            line.usual = line.usual.map { $0 + (took - $0) / 4 } ?? took
        case .throttled:
            line.breaker.succeeded(probe: call.isProbe)
            // The rate is the account's.
            account.gate.pause.asked(for: error?.retryAfter, because: .rateLimit, at: now)
        case .exhausted:
            line.breaker.succeeded(probe: call.isProbe)
            ended.usedUp = exhausted(&line, &account, error, at: now, time)
        case .failing:
            line.breaker.failed(probe: call.isProbe, at: now, jitter: jitter)
            if let wait = error?.retryAfter { line.gate.pause.asked(for: wait, because: .trouble, at: now) }
        case .nothing: line.breaker.abandoned(probe: call.isProbe)
        }
        if line.breaker.state != before { ended.breaker = line.breaker.state }
        account.sources[call.source] = line
        accounts[name] = account
        return ended
    }

    /// The source reports that a quota is used up: its own, or else its account's.
    private mutating func exhausted(
        _ line: inout Line,
        _ account: inout Account,
        _ error: SearchError?,
        at now: Instant,
        _ time: QuotaTime
    ) -> [CountedQuota] {
        var (wait, resetsAt) = (error?.retryAfter, error?.resetsAt)
        if let age = book.ageOfWindow(line.quotas, at: time), (0..<Self.turnSeconds).contains(age),
            wait.map({ $0 > .seconds(Self.turnSeconds - age) }) ?? true
        {
            // Its clock is behind: it means the window that is over here.
            let rest = Self.turnSeconds - age
            (wait, resetsAt) = (.seconds(rest), RFC3339.text(time.wall + rest))
        } else if let said = wait, let rest = book.restOfDay(line.quotas, at: time), said < rest,
            line.gate.pause.repeats >= Self.doubtsMax || book.isNearlyUsed(line.quotas, at: time)
        {
            wait = rest
        }
        line.gate.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: now)
        if !line.hasOwnQuota { account.gate.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: now) }
        guard let wait else { return [] }
        let quotas = line.quotas.filter { !line.hasOwnQuota || $0.owner == line.name.text }
        return book.saidUsedUp(quotas, for: wait.components.seconds + Self.roundingSeconds, at: time)
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
        guard var line = self[source], line.breaker.state == .closed else { return .giveUp }
        defer { accounts[source.account]?.sources[source] = line }
        return backoff.failed(error, at: now, deadline: deadline, jitter: jitter, budget: &line.budget)
    }

    // MARK: Reporting

    /// How a call to a source would fare behind so many others to its account; nil for an unknown source.
    func outlook(
        _ source: SourceName,
        _ priority: Priority,
        for user: UInt32,
        behind others: Int,
        at now: Instant,
        _ time: QuotaTime
    ) -> CallOutlook? {
        guard let account = accounts[source.account], let line = account.sources[source] else { return nil }
        let obstacle = obstacle(line, account, priority, for: user, behind: others, at: now, time)
        return CallOutlook(obstacle: obstacle, usual: line.usual)
    }

    private func obstacle(
        _ line: Line,
        _ account: Account,
        _ priority: Priority,
        for user: UInt32?,
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
        if let user, let refusal = refusal(line, priority, for: [user], time) {
            let reason = refusal.reason == .paced ? SkipReason.rateLimit : .quotaExhausted
            return Skip(reason: reason, error: LimitErrors.quota(line.name, refusal))
        }
        let (until, _) = earliest(line, account, priority, behind: others, at: now)
        return until > now ? Skip(reason: .rateLimit, error: late(line, account, until, at: now)) : nil
    }

    /// How long to wait until a user's call takes nothing that interactive calls might want; nil when it may start now.
    func spareWait(_ source: SourceName, for user: UInt32, at now: Instant, _ time: QuotaTime) -> Duration? {
        guard let account = accounts[source.account], let line = account.sources[source] else { return Self.spareLook }
        if let skip = obstacle(line, account, .background, for: user, behind: 0, at: now, time) {
            return skip.retryAfter ?? Self.spareLook
        }
        guard account.running == 0, account.interactiveWaiting == 0 else { return Self.spareLook }
        let spare = max(line.gate.spare(at: now), account.gate.spare(at: now))
        return spare > now ? now.duration(to: spare) : nil
    }

    /// The state of every source.
    func standings(at now: Instant, _ time: QuotaTime) -> [SourceName: SourceStanding] {
        var standings: [SourceName: SourceStanding] = [:]
        for account in accounts.values {
            for line in account.sources.values { standings[line.name] = standing(line, account, at: now, time) }
        }
        return standings
    }

    private func standing(_ line: Line, _ account: Account, at now: Instant, _ time: QuotaTime) -> SourceStanding {
        let quotas = line.quotas.compactMap { book.figures($0, at: time) }
        if let openedAt = line.breaker.openedAt {
            return SourceStanding(
                state: .open,
                lasting: openedAt.duration(to: now),
                retryAfter: line.breaker.obstacle(at: now).map { now.duration(to: $0) },
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
        let isWaiting = line.waiting > 0 || quotas.contains { $0.left == 0 }
        return SourceStanding(state: isWaiting ? .waiting : .free, lasting: nil, quotas: quotas)
    }
}
