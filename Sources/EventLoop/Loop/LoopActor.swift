/// An actor whose executor is an event loop.
///
/// The loop's timers, handlers and actions run on the executor of its actors, so they may use the actor's state at
/// once; the compiler can't see that. `onLoop` tells it, and checks it: elsewhere it traps.
package protocol LoopActor: Actor {
    /// The actor's executor; the actor keeps it alive.
    nonisolated var loop: EventLoop { get }
}

extension LoopActor {
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps its loop alive, so the reference outlives every use.
        unsafe loop.asUnownedSerialExecutor()
    }

    /// Uses the actor's state from synchronous code on its loop.
    package nonisolated func onLoop<Value: Sendable, Failure>(
        _ body: (isolated Self) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        loop.checkIsolated()
        return try withoutActuallyEscaping(body) { (body) throws(Failure) -> Value in
            // An isolated parameter is passed as any other. The types differ only in what the compiler checks, and that
            // the code runs on the actor's executor has just been checked.
            let unchecked = unsafe unsafeBitCast(body, to: ((Self) throws(Failure) -> Value).self)
            return try unchecked(self)
        }
    }

    /// Runs once, in a later turn of the loop.
    package nonisolated func performLater(_ body: @escaping @Sendable (isolated Self) -> Void) {
        loop.perform { self.onLoop(body) }
    }

    /// Runs once, at an instant or shortly after; keeps the actor alive until then.
    package nonisolated func schedule(
        at instant: Instant,
        _ body: @escaping @Sendable (isolated Self) -> Void
    ) -> Timer {
        loop.schedule(at: instant) { self.onLoop(body) }
    }
}
