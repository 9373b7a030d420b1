import CPlatform
import Glibc

/// An epoll that waits until sockets can be read, and the memory for what it reports.
@safe final class Poll {
    private static let eventsMax = 512

    private let epoll: Int32
    /// Invariant: `eventsMax` initialised events, owned by this object and freed with it.
    private let events: UnsafeMutablePointer<epoll_event>

    init() throws(BenchmarkError) {
        epoll = try SystemCall.checked("creating an epoll") { platform_epoll_create() }
        // Owned by this object; see the invariant.
        unsafe events = .allocate(capacity: Self.eventsMax)
        unsafe events.initialize(repeating: epoll_event(), count: Self.eventsMax)
    }

    deinit {
        close(epoll)
        // The last use of the memory: nobody else has the pointer.
        unsafe events.deallocate()
    }

    /// Reports the socket under this number from now on, until it closes.
    func add(_ connection: Connection, as number: Int) throws(BenchmarkError) {
        _ = try SystemCall.checked("watching a socket") {
            platform_epoll_control(
                epoll,
                EPOLL_CTL_ADD,
                connection.descriptor,
                EPOLLIN.rawValue,
                UInt64(number)
            )
        }
    }

    /// How many sockets can be read, after waiting so many nanoseconds at most for the first; ask `number` which.
    func wait(_ nanoseconds: Int64) throws(BenchmarkError) -> Int {
        Int(
            try SystemCall.checked("waiting for answers") {
                // The capacity is that of the memory.
                unsafe platform_epoll_wait(epoll, events, Int32(Self.eventsMax), max(0, nanoseconds))
            }
        )
    }

    /// The number of a socket that the last wait reported.
    func number(at index: Int) -> Int {
        precondition(index >= 0 && index < Self.eventsMax)
        // The index was checked against the memory's capacity.
        return Int(unsafe platform_event_token(events + index))
    }
}
