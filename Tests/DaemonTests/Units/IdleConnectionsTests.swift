import EventLoop
import Glibc
import Testing

@testable import Daemon

@Suite struct IdleConnectionsTests {
    private var idle = IdleConnections()

    private func connection(_ number: UInt64, user: UInt32 = 1, servedAt seconds: Int64) throws -> Connection {
        let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        return Connection(
            number: number,
            peer: Peer(processID: 1, userID: user, groupID: user),
            descriptor: FileDescriptor(owning: descriptor),
            connectedAt: Instant(nanoseconds: seconds * 1_000_000_000)
        )
    }

    private mutating func numbers(of user: UInt32) -> [UInt64] {
        var numbers: [UInt64] = []
        while let entry = idle.next(of: user) { numbers.append(entry.number) }
        return numbers
    }

    @Test mutating func `each user's come in the order in which they were served last, each once, and no busy one`()
        throws
    {
        let all = [
            try connection(1, servedAt: 30), try connection(2, servedAt: 10), try connection(3, user: 2, servedAt: 5),
            try connection(4, servedAt: 20), try connection(5, servedAt: 1), try connection(6, servedAt: 20),
        ]
        all[4].readingPaused = true
        #expect(numbers(of: 1) == [])
        idle.look(at: all, now: Instant(nanoseconds: 0))
        #expect(numbers(of: 1) == [2, 4, 6, 1])
        #expect(numbers(of: 1) == [])
        #expect(numbers(of: 2) == [3])
        all[4].readingPaused = false
        idle.look(at: all, now: Instant(nanoseconds: 0))
        #expect(numbers(of: 1) == [5, 2, 4, 6, 1])
    }

    @Test mutating func `of many the next look comes only after a pause`() throws {
        let all = try (1...257).map { try connection(UInt64($0), servedAt: 0) }
        let start = Instant(nanoseconds: 7)
        idle.look(at: all, now: start)
        #expect(numbers(of: 1).count == 257)
        idle.look(at: all, now: start.advanced(by: .microseconds(2569)))
        #expect(numbers(of: 1) == [])
        idle.look(at: all, now: start.advanced(by: .microseconds(2570)))
        #expect(numbers(of: 1).count == 257)
    }
}
