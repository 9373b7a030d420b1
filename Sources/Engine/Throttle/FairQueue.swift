import EventLoop
import RPC

/// Which call starts next, and which can't start before its deadline: the decisions of the throttle, without waiting.
///
/// So many calls run at a time. Of those, one of each priority stands at the gate: it has been started and the source's
/// limits have not let it through yet; so the next one is chosen at the last moment, in the order of `FairLane`.
/// Background calls start when no interactive one waits or stands at the gate, and leave one slot free. Pure.
///
/// Invariant: every call is either waiting, in the lanes of all its claims and no others, or running; at most `slots`
/// run, but for those that ran when the slots became fewer; at most `waitingMax` wait.
struct FairQueue: Sendable {
    typealias Claim = CallDemand.Claim
    struct CallID: Hashable, Sendable {
        let number: UInt64
    }

    struct Limits: Sendable {
        /// How many calls may wait.
        var waitingMax = 4096
        /// How many of them the programs of one user may wait for before one has to make room for another.
        var waitingPerUserMax = 2048
        /// How many of them one client may wait for before it is refused further ones.
        var waitingPerClientMax = 1024
    }

    enum Reason: Equatable, Sendable {
        /// The daemon is overloaded.
        case load
        /// The source's rate doesn't allow more.
        case rate
    }

    enum Arrival: Equatable {
        /// It waits for `next`; another call may have been turned away to make room.
        case waits(CallID, evicted: CallID?)
        case refused(Reason, retryAfter: Duration)
    }

    private struct Running: Sendable {
        let claim: Claim
        let startedAt: Instant
        var isAtGate = true
        /// Until when the limits hold it at the gate, as far as they have said.
        var heldUntil: Instant?
    }

    /// When to come back if nothing is known of the source's pace.
    static let retryAfterDefault = Duration.seconds(1)

    private let limits: Limits
    var slots: Int
    private var interactive = FairLane<CallID>()
    private var background = FairLane<CallID>()
    private var waiting: [CallID: Set<Claim>] = [:]
    private var running: [CallID: Running] = [:]
    private var pace = CallPace()
    private var nextNumber: UInt64 = 0

    init(slots: Int, limits: Limits = Limits()) {
        self.slots = slots
        self.limits = limits
    }

    var waitingCount: Int { waiting.count }
    var runningCount: Int { running.count }

    // MARK: Arriving and leaving

    /// A call is wanted, by at least one client.
    ///
    /// It is refused when its clients, their users or the source have too many waiting, or when it would not be
    /// answered by the deadline if the others took as long as the latest ones did.
    mutating func arrived(_ claims: Set<Claim>, by deadline: Instant?, now: Instant) -> Arrival {
        guard !claims.allSatisfy({ isFull($0.client) }) else {
            let rounds = max(interactive.clientCount, background.clientCount)
            return .refused(reason(now), retryAfter: retryAfter(calls: rounds))
        }
        if let (reason, late) = lateness(claims, by: deadline, now: now) {
            return .refused(reason, retryAfter: late)
        }
        var evicted: CallID?
        if waiting.count >= limits.waitingMax || claims.allSatisfy({ isFull(userOf: $0.client) }) {
            evicted = victim(for: claims)
            guard let evicted else { return .refused(reason(now), retryAfter: retryAfter(calls: 1)) }
            left(evicted)
        }
        nextNumber += 1
        let call = CallID(number: nextNumber)
        waiting[call] = []
        changed(call, to: claims)
        return .waits(call, evicted: evicted)
    }

    /// Others want a waiting call, or want it otherwise; nothing for one that runs.
    mutating func changed(_ call: CallID, to claims: Set<Claim>) {
        guard let before = waiting[call] else { return }
        for claim in before.subtracting(claims) { remove(call, claim) }
        var kept = before.intersection(claims)
        for claim in claims.subtracting(before) {
            // A client that wants it both ways wants it the more urgent one.
            let urgent = Claim(client: claim.client, priority: .interactive)
            if claim != urgent, claims.contains(urgent) { continue }
            kept.insert(claim)
            add(call, claim)
        }
        waiting[call] = kept
        checkInvariants()
    }

    /// No caller wants a waiting call any more; false when it isn't waiting.
    @discardableResult
    mutating func left(_ call: CallID) -> Bool {
        guard let claims = waiting.removeValue(forKey: call) else { return false }
        for claim in claims { remove(call, claim) }
        checkInvariants()
        return true
    }

    // MARK: Running

    /// Starts the call whose turn it is; nil while none may start.
    mutating func next(now: Instant) -> CallID? {
        guard !waiting.isEmpty, running.count < slots else { return nil }
        let atGate = Set(running.values.lazy.filter(\.isAtGate).map(\.claim.priority))
        let priority: Priority
        if !interactive.isEmpty {
            priority = .interactive
        } else {
            let backgroundCount = running.values.count { $0.claim.priority == .background }
            guard !atGate.contains(.interactive), backgroundCount < max(1, slots - 1) else { return nil }
            priority = .background
        }
        guard !atGate.contains(priority), let taken = takeNext(priority) else { return nil }
        for claim in waiting.removeValue(forKey: taken.call) ?? [] { remove(taken.call, claim) }
        running[taken.call] = Running(claim: Claim(client: taken.client, priority: priority), startedAt: now)
        checkInvariants()
        return taken.call
    }

    /// The source's limits hold a running call for so long.
    mutating func held(_ call: CallID, until instant: Instant) {
        if running[call]?.isAtGate == true { running[call]?.heldUntil = instant }
    }

    /// The source's limits have let a running call through.
    mutating func passed(_ call: CallID, now: Instant) {
        guard let started = running[call], started.isAtGate else { return }
        running[call]?.isAtGate = false
        // What took time without being held was the daemon's own work, which says nothing of the next one.
        pace.passed(after: started.heldUntil == nil ? 0 : started.startedAt.nanoseconds(to: now))
    }

    /// A running call is made once more, at the cost of whose turn it was.
    mutating func repeated(_ call: CallID) {
        guard let claim = running[call]?.claim else { return }
        switch claim.priority {
        case .interactive: interactive.charge(claim.client)
        case .background: background.charge(claim.client)
        }
    }

    /// A running call has come to its end, whatever that is.
    ///
    /// One that was never let through says nothing of the source's pace.
    mutating func ended(_ call: CallID, now: Instant) {
        guard let ended = running.removeValue(forKey: call), !ended.isAtGate else { return }
        pace.ended(after: ended.startedAt.nanoseconds(to: now))
    }
}

// MARK: Foretelling

extension FairQueue {
    /// How long a waiting call has yet to wait if the others take as long as the latest ones did, and for what.
    func wait(of call: CallID, now: Instant) -> (WaitReason, Duration) {
        let claims = waiting[call] ?? []
        let ahead = max(0, callsBefore(claims) - 1)
        let forecast = forecast(callsBefore: ahead, now: now)
        if forecast.isByGate { return (.rateLimit, now.duration(to: forecast.begins)) }
        let clients = Set(claims.map(\.client))
        let areOthersBefore = ahead > 0 && waiting.values.contains { clients.isDisjoint(with: $0.map(\.client)) }
        return (areOthersBefore ? .fairness : .concurrency, now.duration(to: forecast.begins))
    }

    /// By how much a call would miss its deadline, and why; nil when it need not.
    private func lateness(_ claims: Set<Claim>, by deadline: Instant?, now: Instant) -> (Reason, Duration)? {
        guard let deadline, let whole = pace.whole else { return nil }
        if waiting.isEmpty, running.count < slots, !running.values.contains(where: \.isAtGate) { return nil }
        // At worst all that wait are before it: mostly that settles it.
        let atWorst = forecast(callsBefore: waiting.count, now: now)
        if atWorst.begins.advanced(by: .nanoseconds(whole)) <= deadline { return nil }
        let forecast = forecast(callsBefore: callsBefore(claims), now: now)
        let answered = forecast.begins.advanced(by: .nanoseconds(whole))
        return answered <= deadline ? nil : (forecast.isByGate ? .rate : .load, deadline.duration(to: answered))
    }

    /// When a call begins that has so many before it, if all take as long as the latest ones did; whether it is the
    /// gate that it waits for.
    ///
    /// While nothing is known of the pace it begins now.
    private func forecast(callsBefore ahead: Int, now: Instant) -> (begins: Instant, isByGate: Bool) {
        let startedAt = running.values.lazy.map(\.startedAt)
        let bySlots = pace.slotFrees(behind: ahead, running: startedAt, slots: slots, at: now)
        let byGate = gateOpens(now).advanced(by: .nanoseconds(Int64(ahead) * (pace.gate ?? 0)))
        return (max(bySlots, byGate), byGate > bySlots)
    }

    /// How many waiting calls would be served before a call with these claims, by the best of them.
    private func callsBefore(_ claims: Set<Claim>) -> Int {
        claims.map { claim in
            switch claim.priority {
            case .interactive: interactive.callsBefore(claim.client)
            case .background: interactive.count + background.callsBefore(claim.client)
            }
        }.min() ?? waiting.count
    }

    /// Until when the limits hold the calls at the gate.
    private func gateOpens(_ now: Instant) -> Instant {
        running.values.lazy.filter(\.isAtGate).compactMap(\.heldUntil).reduce(now, max)
    }

    private func reason(_ now: Instant) -> Reason {
        gateOpens(now) > now || pace.isHeldByGate(slots: slots) ? .rate : .load
    }

    private func isFull(_ client: ClientIdentity) -> Bool {
        interactive.count(of: client) + background.count(of: client) >= limits.waitingPerClientMax
    }

    private func isFull(userOf client: ClientIdentity) -> Bool {
        count(userOf: client) >= limits.waitingPerUserMax
    }

    private func count(userOf client: ClientIdentity) -> Int {
        interactive.count(ofUser: client.userID) + background.count(ofUser: client.userID)
    }

    private func retryAfter(calls: Int) -> Duration {
        pace.interval(slots: slots).map { max(.milliseconds(1), .nanoseconds(Int64(max(1, calls)) * $0)) }
            ?? Self.retryAfterDefault
    }

    /// The waiting call that has to make room, a background one first: the latest of the program that has most, of the
    /// user that has most; each only when that is more than the newcomer's would be.
    private func victim(for claims: Set<Claim>) -> CallID? {
        guard let own = claims.map(\.client).min(by: { count(userOf: $0) < count(userOf: $1) }) else { return nil }
        let isUrgent = claims.contains { $0.priority == .interactive }
        // Where the newcomer's user has its share, no other user has to make room for it.
        let isOwnUser = isFull(userOf: own)
        let hasBackground = isOwnUser ? background.count(ofUser: own.userID) > 0 : !background.isEmpty
        guard isUrgent || hasBackground else { return nil }
        let lane = hasBackground ? background : interactive
        let isMoreUrgent = isUrgent && hasBackground
        guard let user = isOwnUser ? own.userID : lane.longestUser else { return nil }
        if user != own.userID, !isMoreUrgent, lane.count(ofUser: user) <= lane.count(ofUser: own.userID) + 1 {
            return nil
        }
        guard let longest = lane.longestClient(of: user) else { return nil }
        if user == own.userID, !isMoreUrgent, lane.count(of: longest) <= lane.count(of: own) + 1 { return nil }
        // A call that others wait for as well stays, unless it is one user's alone.
        return lane.lastCall(of: longest) { call in waiting[call]?.allSatisfy { $0.client.userID == user } == true }
    }
}

// MARK: Lanes

extension FairQueue {
    private subscript(priority: Priority) -> FairLane<CallID> {
        priority == .interactive ? interactive : background
    }

    private mutating func add(_ call: CallID, _ claim: Claim) {
        switch claim.priority {
        case .interactive: interactive.add(call, of: claim.client)
        case .background: background.add(call, of: claim.client)
        }
    }

    private mutating func remove(_ call: CallID, _ claim: Claim) {
        switch claim.priority {
        case .interactive: interactive.remove(call, of: claim.client)
        case .background: background.remove(call, of: claim.client)
        }
    }

    private mutating func takeNext(_ priority: Priority) -> (call: CallID, client: ClientIdentity)? {
        switch priority {
        case .interactive: interactive.takeNext()
        case .background: background.takeNext()
        }
    }

    /// The costly ones only while few wait.
    private func checkInvariants() {
        assert(waiting.count <= limits.waitingMax && waiting.count <= interactive.count + background.count)
        guard waiting.count < 64 else { return }
        assert(waiting.keys.allSatisfy { running[$0] == nil } && waiting.values.allSatisfy { !$0.isEmpty })
        assert(waiting.values.reduce(0) { $0 + $1.count } == interactive.count + background.count)
    }
}
