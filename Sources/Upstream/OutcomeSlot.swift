import EventLoop

/// A slot in which one caller waits for one outcome; the outcome may arrive before the caller waits.
///
/// Other tasks on the loop may run between a caller's request and its wait, so the caller gets its slot with the
/// request. Confined to the loop.
final class OutcomeSlot<Outcome: Sendable> {
    private var outcome: Outcome?
    private var continuation: CheckedContinuation<Outcome, Never>?

    /// Resumes the caller when the outcome arrives, or at once.
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
    ///   - cancelled: Ends the slot; called within one turn after the waiting task was cancelled, even if the slot has
    ///     already ended.
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
