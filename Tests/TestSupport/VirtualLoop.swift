package import EventLoop
import Synchronization

/// A clock that advances only when a test or a `VirtualPoller` advances it.
package final class ManualClock: LoopClock {
    private let nanoseconds: Atomic<Int64>

    package init(startingAt start: Instant = Instant(nanoseconds: 0)) {
        nanoseconds = Atomic(start.nanoseconds)
    }

    package func now() -> Instant {
        Instant(nanoseconds: nanoseconds.load(ordering: .relaxed))
    }

    package func advance(to instant: Instant) {
        _ = nanoseconds.max(instant.nanoseconds, ordering: .relaxed)
    }
}

/// A poller without descriptors.
///
/// Waiting advances a manual clock, so timers take no real time.
///
/// A wait without a deadline calls `idle`.
package final class VirtualPoller: Poller {
    private let clock: ManualClock
    private let idle: @Sendable () -> Void

    package init(clock: ManualClock, idle: @escaping @Sendable () -> Void) {
        self.clock = clock
        self.idle = idle
    }

    package func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        throw SystemError(call: "add to a virtual poller", number: 38)
    }

    package func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        throw SystemError(call: "change in a virtual poller", number: 38)
    }

    package func remove(_ descriptor: Int32) {}

    package func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void) {
        switch wait {
        case .none: return
        case .atMost(let nanoseconds): clock.advance(to: clock.now().advanced(by: .nanoseconds(nanoseconds)))
        case .forever: idle()
        }
    }

    package func wake() {}
}

package struct LoopStalled: Error, CustomStringConvertible {
    package let description = "the loop is idle, but the task has not ended"
}

/// Runs the body in virtual time.
///
/// Throws `LoopStalled` if the body waits for an event that cannot occur.
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
