/// An actor whose executor is an event loop.
///
/// Its timers, handlers and actions must call `onLoop`.
package protocol LoopActor: Actor {
    /// The actor must hold a strong reference.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the loop alive.
        unsafe loop.asUnownedSerialExecutor()
    }

    package nonisolated func onLoop<Value: Sendable, Failure>(
        _ body: (isolated Self) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        loop.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Value in
            // The types differ only in isolation. `checkIsolated` has checked the isolation.
            let unchecked = unsafe unsafeBitCast(body, to: ((Self) throws(Failure) -> Value).self)
            return try unchecked(self)
        }
    }

    package nonisolated func performLater(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.perform { self.onLoop(body) }
    }

    package nonisolated func perform(_ body: @escaping @Sendable (isolated Self) -> Void) {
        if loop.isCurrent { onLoop(body) } else { performLater(body) }
    }

    package nonisolated func schedule(
        at instant: Instant,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> Timer {
        loop.schedule(at: instant) { self.onLoop(body) }
    }

    /// A cancellation calls `cancelled` once or twice, even if the continuation was already resumed.
    package func suspend<Value: Sendable>(
        _ begin: (CheckedContinuation<Value, Never>) -> Void,
        whenCancelled cancelled: @escaping @Sendable (isolated Self) -> Void
    ) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation)
                if Task.isCancelled { cancelled(self) }
            }
        } onCancel: {
            performLater(cancelled)
        }
    }
}
