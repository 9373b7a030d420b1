package import EventLoop

/// A task on a virtual loop waits for something that can't come any more.
package struct LoopStalled: Error, CustomStringConvertible {
    package let description = "the loop had nothing left to wait for, and the task had not ended"
}

/// Runs a task to its end on a virtual loop, with all that it leaves behind: timers cost no time.
///
/// Throws what the task throws, or `LoopStalled` when it hangs.
package func virtually<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop, ManualClock) async throws -> Value
) throws -> Value {
    let clock = ManualClock()
    let stop = Locked<(@Sendable () -> Void)?>(nil)
    let loop = EventLoop(clock: clock, poller: VirtualPoller(clock: clock) { stop.withLock { $0 }?() })
    stop.withLock { $0 = { loop.stop() } }
    defer { stop.withLock { $0 = nil } }
    let outcome = Locked<Result<Value, any Error>?>(nil)
    Task.detached(executorPreference: loop) {
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(loop, clock))
        } catch {
            result = .failure(error)
        }
        outcome.withLock { $0 = result }
    }
    loop.run()
    guard let result = outcome.withLock({ $0 }) else { throw LoopStalled() }
    return try result.get()
}
