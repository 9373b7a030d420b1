import CPlatform
import Glibc

package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Interest(rawValue: 1)
    package static let writable = Interest(rawValue: 2)

    package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }
}

package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    package static let hangup = Readiness(rawValue: 4)
    package static let failure = Readiness(rawValue: 8)

    package func contains(_ other: Readiness) -> Bool { rawValue & other.rawValue == other.rawValue }
}

/// Waits for ready descriptors.
///
/// Only `wake` may be called from other threads.
package protocol Poller: AnyObject, Sendable {
    func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    func remove(_ descriptor: Int32)
    func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void)
    /// Ends the current wait, or the next one if no wait is running.
    func wake()
}

package enum LoopWait: Equatable, Sendable {
    case none
    case atMost(nanoseconds: Int64)
    case forever

    package init(hasWork: Bool, nextDeadline: Instant?, now: Instant) {
        if hasWork {
            self = .none
        } else if let nextDeadline {
            self = nextDeadline <= now ? .none : .atMost(nanoseconds: now.nanoseconds(to: nextDeadline))
        } else {
            self = .forever
        }
    }
}

/// Level-triggered epoll with an eventfd for `wake`.
///
/// `@unchecked Sendable`, because only `wait` uses the event buffer, on the loop's thread.
@safe package final class EpollPoller: Poller, @unchecked Sendable {
    private static let eventsMax = 256
    private static let wakeToken = UInt64.max

    private let epoll: FileDescriptor
    private let wakeup: FileDescriptor
    private let events: UnsafeMutablePointer<epoll_event>

    package init() throws(SystemError) {
        let epollRaw = platform_epoll_create()
        guard epollRaw >= 0 else { throw SystemError.last("epoll_create1") }
        epoll = FileDescriptor(owning: epollRaw)
        let wakeupRaw = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard wakeupRaw >= 0 else { throw SystemError.last("eventfd") }
        wakeup = FileDescriptor(owning: wakeupRaw)
        // The buffer has room for `eventsMax` events and is freed in deinit.
        unsafe events = .allocate(capacity: Self.eventsMax)
        try control(EPOLL_CTL_ADD, wakeup.raw, .readable, token: Self.wakeToken)
    }

    deinit {
        unsafe events.deallocate()
    }

    package func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, descriptor, interest, token: token)
    }

    package func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, descriptor, interest, token: token)
    }

    package func remove(_ descriptor: Int32) {
        _ = platform_epoll_control(epoll.raw, EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    package func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void) {
        // The kernel fills at most `eventsMax` events of the buffer, which this object owns.
        let count = unsafe platform_epoll_wait(epoll.raw, events, Int32(Self.eventsMax), Self.nanoseconds(wait))
        guard count >= 0 else {
            let number = platform_errno()
            guard number == EINTR else { fatalError("epoll_wait: errno \(number) is a defect of the loop") }
            return
        }
        for index in 0..<Int(count) {
            let token = unsafe platform_event_token(events + index)
            if token == Self.wakeToken {
                clearWakeup()
            } else {
                ready(token, Self.readiness(unsafe events[index].events))
            }
        }
    }

    package func wake() {
        var one: UInt64 = 1
        // The call fails only if the counter is full, and then a wake-up is already pending.
        _ = unsafe write(wakeup.raw, &one, 8)
    }

    private func clearWakeup() {
        var count: UInt64 = 0
        _ = unsafe read(wakeup.raw, &count, 8)
    }

    private func control(
        _ operation: Int32,
        _ descriptor: Int32,
        _ interest: Interest,
        token: UInt64
    ) throws(SystemError) {
        var events: UInt32 = 0
        if interest.contains(.readable) { events |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if interest.contains(.writable) { events |= EPOLLOUT.rawValue }
        guard platform_epoll_control(epoll.raw, operation, descriptor, events, token) == 0 else {
            throw SystemError.last("epoll_ctl")
        }
    }

    private static func readiness(_ events: UInt32) -> Readiness {
        var readiness: Readiness = []
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0 { readiness.insert(.readable) }
        if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
        if events & EPOLLHUP.rawValue != 0 { readiness.insert(.hangup) }
        if events & EPOLLERR.rawValue != 0 { readiness.insert(.failure) }
        return readiness
    }

    private static func nanoseconds(_ wait: LoopWait) -> Int64 {
        switch wait {
        case .none: 0
        case .atMost(let nanoseconds): max(1, nanoseconds)
        case .forever: -1
        }
    }
}
