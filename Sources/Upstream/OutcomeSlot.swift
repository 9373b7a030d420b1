import EventLoop

/// Where one caller waits for one outcome, which may come before the caller has begun to wait.
///
/// On its way from asking to waiting a caller may be held up, and others on the loop go ahead of it: so it has its slot
/// from the moment it asks. Confined to the loop.
final class OutcomeSlot<Outcome: Sendable> {
    private var outcome: Outcome?
    private var continuation: CheckedContinuation<Outcome, Never>?

    /// The caller waits from now on, or has its outcome at once.
    fileprivate func wait(_ continuation: CheckedContinuation<Outcome, Never>) {
        if let outcome { continuation.resume(returning: outcome) } else { self.continuation = continuation }
    }

    /// Ends the waiting; to be called once.
    func end(_ outcome: Outcome) {
        if let continuation { continuation.resume(returning: outcome) } else { self.outcome = outcome }
    }
}

extension LoopActor {
    /// Waits for a slot's outcome.
    ///
    /// - Parameters:
    ///   - slot: The slot.
    ///   - cancelled: Ends the slot; called within one turn after the waiting task was cancelled, also when the slot
    ///     has ended by then.
    /// - Returns: The slot's outcome.
    func outcome<Outcome: Sendable>(
        of slot: OutcomeSlot<Outcome>,
        whenCancelled cancelled: @escaping @Sendable (isolated Self) -> Void
    ) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.wait(continuation)
                if Task.isCancelled { cancelled(self) }
            }
        } onCancel: {
            performLater(cancelled)
        }
    }
}
