import Catalogue
import EventLoop
import RPC
import SearchModel

/// Which calls are admitted, which wait and which are refused: all decisions about limits, without their effects.
///
/// Events come in by `asked`, `left`, `changed`, `sent`, `ended`, `failed` and `configure`; the ledger's answers go to
/// `book`. After each, `pump` says what follows for the account.
///
/// Invariant: a call is under way only with a permit of its source's and its account's gate, and a unit of each quota;
/// what it took is given back unless it was sent. Each waiter is in its source's line, and each permit has its call.
struct AdmissionTable: Sendable {
    /// Names a call that was admitted.
    struct PassID: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    struct Waiter: Sendable {
        let source: SourceName
        let account: String
        var priority: Priority
        var deadline: Instant
    }

    enum Asked: Sendable {
        case waits(WaiterID)
        case refused(SearchError)
    }

    /// What follows for an account.
    struct Step: Sendable {
        var admitted: [(waiter: WaiterID, pass: PassID)] = []
        var refused: [(waiter: WaiterID, error: SearchError)] = []
        /// Ask the ledger for these, and pump again.
        var wants: [QuotaWant] = []
        /// Pump again then.
        var wakeAt: Instant?

        mutating func wake(at instant: Instant) {
            wakeAt = min(wakeAt ?? instant, instant)
        }
    }

    private struct Pass: Sendable {
        let source: SourceName
        let account: String
        /// Whether the gates that it passed are still there: a source that was removed and added again has another.
        var isInSource = true
        var isInAccount = true
        let permit: Gate.Permit
        let accountPermit: Gate.Permit
        let charge: QuotaBook.Charge
        let isProbe: Bool
        let admittedAt: Instant
        var sentAt: Instant?
    }

    private enum Attempt {
        case admitted(PassID)
        case refused(SearchError)
        case sourceWaits(until: Instant?)
        case accountWaits(until: Instant?)
        case wants([QuotaWant])
    }

    /// How long after the turn of a period a source may still count the one before.
    static let turnSeconds: Int64 = 120
    /// How much earlier than the end of a period a wait until then may end, rounded on the way.
    static let roundingSeconds: Int64 = 5
    /// How often in a row a source says that a quota is used up, and to ask again before its end, until it is believed.
    static let doubtsMax = 8

    var accounts: [String: AccountLimitState] = [:]
    var book = QuotaBook()
    private(set) var waiters: [WaiterID: Waiter] = [:]
    private var passes: [PassID: Pass] = [:]
    private var nextNumber: UInt64 = 0

    // MARK: Waiting

    /// A call asks to be admitted; it is turned away at once when its turn can't come before its deadline.
    mutating func asked(_ source: SourceName, _ priority: Priority, deadline: Instant, at now: Instant) -> Asked {
        let name = source.account
        guard let account = accounts[name], let line = account.sources[source] else {
            return .refused(LimitErrors.unknown(source))
        }
        guard line.waiterCount < SourceLimitState.waitersMax else {
            return .refused(LimitErrors.crowded(source, wait: .seconds(1)))
        }
        if let until = line.breaker.obstacle(at: now) {
            return .refused(LimitErrors.breaker(source, wait: now.duration(to: until)))
        }
        let (earliest, reason) = outlook(line, account, priority, at: now)
        guard earliest <= deadline else {
            return .refused(late(line, account, reason, wait: now.duration(to: earliest), at: now))
        }
        let waiter = WaiterID(number: takeNumber())
        waiters[waiter] = Waiter(source: source, account: name, priority: priority, deadline: deadline)
        accounts[name]?.sources[source]?.append(waiter, priority)
        checkInvariants()
        return .waits(waiter)
    }

    /// A waiter's deadline or priority is another now.
    mutating func changed(_ id: WaiterID, _ priority: Priority, deadline: Instant) {
        guard let waiter = waiters[id] else { return }
        waiters[id]?.deadline = deadline
        guard waiter.priority != priority else { return }
        waiters[id]?.priority = priority
        accounts[waiter.account]?.sources[waiter.source]?.remove(id, waiter.priority)
        accounts[waiter.account]?.sources[waiter.source]?.append(id, priority)
        checkInvariants()
    }

    /// A waiter does not wait any longer; what it waited for, nil when it had left.
    @discardableResult
    mutating func left(_ id: WaiterID) -> Waiter? {
        guard let waiter = waiters.removeValue(forKey: id) else { return nil }
        accounts[waiter.account]?.sources[waiter.source]?.remove(id, waiter.priority)
        checkInvariants()
        return waiter
    }

    /// Accounts and sources are no longer there: their waiters leave, and their calls hold no permits of them any more.
    mutating func removed(where isRemoved: (SourceName) -> Bool) -> [WaiterID] {
        for (id, pass) in passes where isRemoved(pass.source) {
            passes[id]?.isInSource = false
            passes[id]?.isInAccount = accounts[pass.account] != nil && pass.isInAccount
        }
        let left = waiters.filter { isRemoved($0.value.source) }.map(\.key)
        for waiter in left { waiters[waiter] = nil }
        checkInvariants()
        return left
    }

    /// Why a waiter waits, and as far as is known for how long; nil for one that does not.
    func waiting(_ id: WaiterID, at now: Instant) -> (reason: WaitReason, wait: Duration)? {
        guard let waiter = waiters[id], let account = accounts[waiter.account],
            let line = account.sources[waiter.source]
        else { return nil }
        let (earliest, reason) = outlook(line, account, waiter.priority, isIn: true, at: now)
        return (reason, now.duration(to: earliest))
    }

    /// The error of a waiter whose deadline has come.
    func expired(_ waiter: Waiter, at now: Instant) -> SearchError {
        guard let account = accounts[waiter.account], let line = account.sources[waiter.source] else {
            return LimitErrors.unknown(waiter.source)
        }
        let (earliest, reason) = outlook(line, account, waiter.priority, at: now)
        return late(line, account, reason, wait: max(now.duration(to: earliest), .milliseconds(1)), at: now)
    }

    // MARK: Calling

    /// The request of an admitted call goes out.
    mutating func sent(_ id: PassID, at now: Instant) {
        guard let pass = passes[id], pass.sentAt == nil else { return }
        passes[id]?.sentAt = now
        book.sent(pass.charge)
        if pass.isInAccount { accounts[pass.account]?.gate.sent(pass.accountPermit) }
        if pass.isInSource { accounts[pass.account]?.sources[pass.source]?.sent(pass.permit) }
    }

    /// An admitted call is over, with an error or well; the breaker's state, when this changed it.
    ///
    /// `jitter`, from 0 up to 1, is for the breaker's pause.
    mutating func ended(
        _ id: PassID,
        _ error: SearchError?,
        jitter: Double,
        at now: Instant,
        _ time: QuotaTime
    ) -> Breaker.State? {
        guard let pass = passes.removeValue(forKey: id) else { return nil }
        defer { checkInvariants() }
        if pass.sentAt == nil { book.giveBack(pass.charge, at: time) }
        if pass.isInAccount {
            accounts[pass.account]?.gate.leave(pass.accountPermit, wasSent: pass.sentAt != nil)
        }
        guard pass.isInSource, var line = accounts[pass.account]?.sources[pass.source] else { return nil }
        let before = line.breaker.state
        let inUse = line.gate.inUse
        line.gate.leave(pass.permit, wasSent: pass.sentAt != nil)
        switch CallVerdict(error, wasSent: pass.sentAt != nil) {
        case .alive:
            line.breaker.succeeded(probe: pass.isProbe)
            line.gate.pause.answered()
            accounts[pass.account]?.gate.pause.answered()
            guard error == nil, let sentAt = pass.sentAt else { break }
            line.budget.succeeded()
            let latency = sentAt.duration(to: now)
            line.pace.ended(after: latency.saturatingNanoseconds)
            line.concurrency.succeeded(latency: latency, startedAt: pass.admittedAt, inUse: inUse, at: now)
        case .throttled:
            line.breaker.succeeded(probe: pass.isProbe)
            line.concurrency.failed(startedAt: pass.admittedAt, at: now)
            // The rate is the account's.
            accounts[pass.account]?.gate.pause.asked(for: error?.retryAfter, because: .rateLimit, at: now)
        case .exhausted:
            line.breaker.succeeded(probe: pass.isProbe)
            exhausted(&line, error, at: now, time)
        case .failing:
            line.breaker.failed(probe: pass.isProbe, at: now, jitter: jitter)
            line.concurrency.failed(startedAt: pass.admittedAt, at: now)
            if let wait = error?.retryAfter { line.gate.pause.asked(for: wait, because: .trouble, at: now) }
        case .nothing: line.breaker.abandoned(probe: pass.isProbe)
        }
        accounts[pass.account]?.sources[pass.source] = line
        return line.breaker.state == before ? nil : line.breaker.state
    }

    /// The source reports that a quota is used up: its own, or else its account's.
    private mutating func exhausted(
        _ line: inout SourceLimitState,
        _ error: SearchError?,
        at now: Instant,
        _ time: QuotaTime
    ) {
        var (wait, resetsAt) = (error?.retryAfter, error?.resetsAt)
        if let age = book.ageOfPeriod(line.quotas, at: time), age < Self.turnSeconds,
            wait.map({ $0 > .seconds(Self.turnSeconds - age) }) ?? true
        {
            // Its clock is behind: it means the period that is over here.
            let rest = Self.turnSeconds - age
            (wait, resetsAt) = (.seconds(rest), RFC3339.text(time.wall + rest))
        } else if let said = wait, let rest = book.restOfDay(line.quotas, at: time), said < rest,
            line.gate.pause.repeats >= Self.doubtsMax || book.isNearlyUsed(line.quotas, at: time)
        {
            wait = rest
        }
        line.gate.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: now)
        let quotas = line.quotas.filter { !line.hasOwnQuota || $0.owner == line.name.text }
        // Until midnight there, but for a second or two on the way.
        if let wait { book.saidUsedUp(quotas, for: wait.components.seconds + Self.roundingSeconds, at: time) }
        if !line.hasOwnQuota {
            accounts[line.name.account]?.gate.pause.asked(for: wait, because: .quota, resetsAt: resetsAt, at: now)
        }
    }

    // MARK: Deciding

    /// Whom the account admits now, whom it turns away, and what to do next.
    ///
    /// - Complexity: O(s) in the account's sources for each waiter that goes.
    mutating func pump(_ account: String, at now: Instant, _ time: QuotaTime) -> Step {
        var step = Step()
        step.wants = book.writeOffs(of: account)
        var blocked: Set<SourceName> = []
        while !waiters.isEmpty, let (source, waiter) = accounts[account]?.next(without: blocked) {
            switch attempt(waiter, at: now, time) {
            case .admitted(let pass):
                left(waiter)
                step.admitted.append((waiter, pass))
                step.wants += book.ahead(accounts[account]?.sources[source]?.quotas ?? [], at: time)
            case .refused(let error):
                left(waiter)
                step.refused.append((waiter, error))
            case .sourceWaits(let until):
                blocked.insert(source)
                if let until { step.wake(at: until) }
            case .accountWaits(let until):
                if let until { step.wake(at: until) }
                return step
            case .wants(let wants):
                blocked.insert(source)
                step.wants += wants
            }
        }
        return step
    }

    private mutating func attempt(_ id: WaiterID, at now: Instant, _ time: QuotaTime) -> Attempt {
        guard let waiter = waiters[id], let account = accounts[waiter.account],
            let line = account.sources[waiter.source]
        else { return .sourceWaits(until: nil) }
        if let until = line.breaker.obstacle(at: now) {
            return .refused(LimitErrors.breaker(line.name, wait: now.duration(to: until)))
        }
        // The source's own obstacles first: they must not hold up the account's other sources.
        for (gate, slots, isAccount) in [
            (line.gate, line.concurrency.allowed, false), (account.gate, account.slots, true),
        ] {
            switch gate.obstacle(at: now, slots: slots) {
            case nil: break
            case .slot: return isAccount ? .accountWaits(until: nil) : .sourceWaits(until: nil)
            case .until(let instant, let reason):
                if instant > waiter.deadline {
                    return .refused(late(line, account, reason, wait: now.duration(to: instant), at: now))
                }
                return isAccount ? .accountWaits(until: instant) : .sourceWaits(until: instant)
            }
        }
        switch book.take(line.quotas, isBackground: waiter.priority == .background, at: time) {
        case .wants(let wants): return .wants(wants)
        case .refused(let refusal):
            let until = now.advanced(by: .seconds(refusal.wait))
            return until > waiter.deadline
                ? .refused(LimitErrors.quota(line.name, refusal)) : .sourceWaits(until: until)
        case .charged(let charge): return .admitted(enter(waiter, charge, at: now))
        }
    }

    private mutating func enter(_ waiter: Waiter, _ charge: QuotaBook.Charge, at now: Instant) -> PassID {
        let id = PassID(number: takeNumber())
        guard let accountPermit = accounts[waiter.account]?.gate.enter(at: now),
            let (permit, isProbe) = accounts[waiter.account]?.sources[waiter.source]?.enter(at: now)
        else {
            assertionFailure("a call was admitted to an account or source that is not known")
            return id
        }
        passes[id] = Pass(
            source: waiter.source,
            account: waiter.account,
            permit: permit,
            accountPermit: accountPermit,
            charge: charge,
            isProbe: isProbe,
            admittedAt: now
        )
        return id
    }

    /// When a newcomer, or with `isIn` a waiter, is served at the earliest, and what holds it up.
    ///
    /// `others` are calls to the account that go before it and are not here yet.
    func outlook(
        _ line: SourceLimitState,
        _ account: AccountLimitState,
        _ priority: Priority,
        isIn: Bool = false,
        behind others: Int = 0,
        at now: Instant
    ) -> (Instant, WaitReason) {
        let own = isIn ? 1 : 0
        let ahead = waiters.isEmpty ? 0 : line.countAhead(of: priority) - own
        let allAhead = (waiters.isEmpty ? 0 : account.countAhead(of: priority) - own) + others
        let earliest = max(line.gate.earliest(at: now, behind: ahead), account.gate.earliest(at: now, behind: allAhead))
        if line.gate.pause.isOn(at: now) || account.gate.pause.isOn(at: now) { return (earliest, .retryAfter) }
        let slots = line.concurrency.allowed
        let isFull = line.gate.inUse + ahead >= slots || account.gate.inUse + allAhead >= account.slots
        guard isFull, line.pace.whole != nil else {
            return (earliest, isFull && earliest <= now ? .concurrency : .rateLimit)
        }
        // As if as many calls as may be under way had started just now.
        let free = line.pace.slotFrees(
            behind: max(line.gate.inUse + ahead - slots, 0),
            running: repeatElement(now, count: slots),
            slots: slots,
            at: now
        )
        return free > earliest ? (free, .concurrency) : (earliest, .rateLimit)
    }

    func late(
        _ line: SourceLimitState,
        _ account: AccountLimitState,
        _ reason: WaitReason,
        wait: Duration,
        at now: Instant
    ) -> SearchError {
        if reason == .concurrency { return LimitErrors.crowded(line.name, wait: wait) }
        for pause in [line.gate.pause, account.gate.pause] where pause.isOn(at: now) {
            return LimitErrors.pause(line.name, pause, at: now)
        }
        return LimitErrors.rate(line.name, wait: wait)
    }

    private mutating func takeNumber() -> UInt64 {
        nextNumber += 1
        return nextNumber
    }

    private func checkInvariants() {
        assert(isConsistent)
    }

    /// Whether the counts agree; looked at only while few wait.
    private var isConsistent: Bool {
        guard waiters.count + passes.count < 64 else { return true }
        let sources = accounts.values.flatMap { Array($0.sources.values) }
        return sources.reduce(0) { $0 + $1.waiterCount } == waiters.count
            && sources.reduce(0) { $0 + $1.gate.inUse } == passes.values.count { $0.isInSource }
            && accounts.values.reduce(0) { $0 + $1.gate.inUse } == passes.values.count { $0.isInAccount }
    }
}
