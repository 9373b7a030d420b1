/// Where one caller waits for one outcome, which may come before the caller has begun to wait.
///
/// On its way from asking to waiting a caller may be held up, and others on the loop go ahead of it: so it takes its seat
/// when it asks. Confined to the loop.
final class OutcomeSlot<Outcome: Sendable> {
    private var outcome: Outcome?
    private var continuation: CheckedContinuation<Outcome, Never>?

    /// The caller waits from now on, or has its outcome at once.
    func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { self.continuation = continuation }
    }

    /// Ends the waiting; to be called once.
    func end(_ outcome: Outcome) {
        if let continuation { continuation.resume(returning: outcome) } else { self.outcome = outcome }
    }
}
