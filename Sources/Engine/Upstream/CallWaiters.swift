import EventLoop

/// Who waits for a call, and what follows for the call: how urgent it is, and until when it is wanted.
///
/// What it says stays when the last caller has gone. Pure.
///
/// Invariant: while somebody waits, `counts` says how many make each claim that is counted, one of them of the highest
/// priority.
///
/// - Complexity: O(1) for joining and leaving: thousands may wait for one call.
struct CallWaiters {
    /// How many clients' claims are told apart; whoever comes after them has the call when they do.
    static let claimsMax = 16

    private struct Waiting {
        let caller: CallTicket.Caller
        /// Whether its claim is counted.
        var isCounted = false

        var claim: CallTicket.Claim { CallTicket.Claim(client: caller.client, priority: caller.priority) }
    }

    private var waiting: [UInt64: Waiting] = [:]
    private var counts: [CallTicket.Claim: Int] = [:]
    /// How many are not counted.
    private var othersCount = 0
    private var lastDeadline = Instant(nanoseconds: 0)
    private var isWithoutDeadline = false
    /// Whether some caller, be it gone by now, was not a private one.
    private(set) var mayBeKept = false

    /// Nobody waits yet; until somebody does, it says what the first caller wants.
    init(first caller: CallTicket.Caller = CallTicket.Caller()) {
        counts = [Waiting(caller: caller).claim: 0]
    }

    var claims: Set<CallTicket.Claim> { Set(counts.keys) }
    var priority: Priority { counts.keys.map(\.priority).max() ?? .interactive }
    var listeners: [@Sendable (CallEvent) -> Void] { waiting.values.compactMap(\.caller.tell) }
    /// The latest instant until which anyone who ever waited would; nil when one would as long as it takes.
    var deadline: Instant? { isWithoutDeadline ? nil : lastDeadline }

    /// A caller comes; whether the claims or the deadline have changed.
    mutating func join(_ caller: CallTicket.Caller, until deadline: Instant?, as number: UInt64) -> Bool {
        if waiting.isEmpty { counts = [:] }
        var newcomer = Waiting(caller: caller)
        let isNew = counts[newcomer.claim] == nil
        newcomer.isCounted = !isNew || counts.count < Self.claimsMax || caller.priority > priority
        if newcomer.isCounted { counts[newcomer.claim, default: 0] += 1 } else { othersCount += 1 }
        waiting[number] = newcomer
        if !caller.isPrivate { mayBeKept = true }
        let before = self.deadline
        lastDeadline = max(lastDeadline, deadline ?? lastDeadline)
        isWithoutDeadline = isWithoutDeadline || deadline == nil
        return (isNew && newcomer.isCounted) || self.deadline != before
    }

    /// A caller goes; whether the claims have changed.
    mutating func leave(_ number: UInt64) -> Bool {
        guard let gone = waiting.removeValue(forKey: number), !waiting.isEmpty else { return false }
        guard gone.isCounted, let count = counts[gone.claim] else {
            othersCount -= 1
            return false
        }
        counts[gone.claim] = count > 1 ? count - 1 : nil
        if count == 1, othersCount > 0 { countOthers() }
        return count == 1
    }

    /// Counts those in for whose claims there is room now, the most urgent first; and one of the most urgent, be there
    /// room or not.
    ///
    /// - Complexity: O(n) in those who wait; only where more than `claimsMax` clients do.
    private mutating func countOthers() {
        for priority in Priority.allCases.sorted(by: >) {
            for (number, other) in waiting where !other.isCounted && other.caller.priority == priority {
                let hasPlace = counts.count < Self.claimsMax || counts[other.claim] != nil
                guard hasPlace || priority > self.priority else { continue }
                waiting[number]?.isCounted = true
                counts[other.claim, default: 0] += 1
                othersCount -= 1
            }
        }
    }
}
