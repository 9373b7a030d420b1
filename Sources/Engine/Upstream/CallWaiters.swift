import EventLoop

/// The waiters of a call, and what follows for the call: how urgent it is, and until when it is wanted.
///
/// When the last caller has left it stays as it was. Pure.
///
/// Invariant: while there is a waiter, `counts` holds how many make each claim that is counted, one of them of the
/// highest priority.
///
/// - Complexity: O(1) in the waiters for joining and leaving: thousands may wait for one call.
struct CallWaiters {
    /// How many users' claims are counted; once the call begins for one of these, every waiter is served.
    static let usersMax = 16
    /// How many claims of each user are, so that a user under many names takes no other user's claim away.
    static let claimsPerUserMax = 8

    private struct Waiting {
        let caller: CallDemand.Caller
        /// Whether its claim is counted.
        var isCounted = false

        var claim: CallDemand.Claim { CallDemand.Claim(client: caller.client, priority: caller.priority) }
    }

    private var waiting: [UInt64: Waiting] = [:]
    private var counts: [CallDemand.Claim: Int] = [:]
    /// How many different claims of each user are counted.
    private var claimCounts: [UInt32: Int] = [:]
    /// How many are not counted.
    private var othersCount = 0
    private var lastDeadline = Instant(nanoseconds: 0)
    private var isWithoutDeadline = false
    /// Whether some caller so far, gone or not, was not a private one.
    private(set) var mayBeKept = false

    /// No waiter yet; until there is one, it describes what the first caller wants.
    init(first caller: CallDemand.Caller = CallDemand.Caller()) {
        counts = [Waiting(caller: caller).claim: 0]
    }

    var claims: Set<CallDemand.Claim> { Set(counts.keys) }
    var priority: Priority { counts.keys.map(\.priority).max() ?? .interactive }
    /// The latest deadline of any caller so far; nil when one had none.
    var deadline: Instant? { isWithoutDeadline ? nil : lastDeadline }

    /// A caller joins; whether the claims or the deadline have changed.
    mutating func join(_ caller: CallDemand.Caller, until deadline: Instant?, as number: UInt64) -> Bool {
        if waiting.isEmpty { (counts, claimCounts) = ([:], [:]) }
        var newcomer = Waiting(caller: caller)
        let isNew = counts[newcomer.claim] == nil
        newcomer.isCounted = !isNew || hasRoom(for: newcomer.claim) || caller.priority > priority
        if newcomer.isCounted { count(newcomer.claim) } else { othersCount += 1 }
        waiting[number] = newcomer
        if !caller.isPrivate { mayBeKept = true }
        let before = self.deadline
        lastDeadline = max(lastDeadline, deadline ?? lastDeadline)
        isWithoutDeadline = isWithoutDeadline || deadline == nil
        return (isNew && newcomer.isCounted) || self.deadline != before
    }

    private func hasRoom(for claim: CallDemand.Claim) -> Bool {
        guard let own = claimCounts[claim.client.userID] else { return claimCounts.count < Self.usersMax }
        return own < Self.claimsPerUserMax
    }

    private mutating func count(_ claim: CallDemand.Claim) {
        if counts[claim] == nil { claimCounts[claim.client.userID, default: 0] += 1 }
        counts[claim, default: 0] += 1
    }

    /// Takes one off the count of a claim; whether it was the last.
    private mutating func discount(_ claim: CallDemand.Claim) -> Bool {
        guard let count = counts[claim] else { return false }
        counts[claim] = count > 1 ? count - 1 : nil
        guard count == 1, let own = claimCounts[claim.client.userID] else { return false }
        claimCounts[claim.client.userID] = own > 1 ? own - 1 : nil
        return true
    }

    /// A caller leaves; whether the claims have changed.
    mutating func leave(_ number: UInt64) -> Bool {
        guard let left = waiting.removeValue(forKey: number), !waiting.isEmpty else { return false }
        guard left.isCounted else {
            othersCount -= 1
            return false
        }
        let wasLast = discount(left.claim)
        if wasLast, othersCount > 0 { countOthers() }
        return wasLast
    }

    /// Counts the claims that there is room for now, the most urgent first; and one of the most urgent in any case.
    ///
    /// - Complexity: O(n) in the waiters; only where more clients wait than are counted.
    private mutating func countOthers() {
        for priority in Priority.allCases.sorted(by: >) {
            for (number, other) in waiting where !other.isCounted && other.caller.priority == priority {
                let hasRoom = counts[other.claim] != nil || hasRoom(for: other.claim)
                guard hasRoom || priority > self.priority else { continue }
                waiting[number]?.isCounted = true
                count(other.claim)
                othersCount -= 1
            }
        }
    }
}
