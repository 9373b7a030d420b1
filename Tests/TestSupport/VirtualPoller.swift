package import EventLoop

/// A poller without descriptors: waiting moves a manual clock to the deadline, so that timers cost no real time.
///
/// A wait without a deadline stops the loop: nothing can happen any more. `stopped` tells the loop's owner.
package final class VirtualPoller: Poller {
    private let clock: ManualClock
    private let idle: @Sendable () -> Void

    /// A poller whose `idle` is called when the loop would wait for ever.
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
