import EventLoop
import Testing

@testable import Daemon

@Suite struct IdleSessionsTests {
    private var idle = IdleSessions()

    private func session(_ number: UInt64, user: UInt32 = 1, servedAt seconds: Int64) -> IdleSessions.Entry {
        .init(number: number, userID: user, servedAt: Instant(nanoseconds: seconds * 1_000_000_000))
    }

    private mutating func numbers(of user: UInt32) -> [UInt64] {
        var numbers: [UInt64] = []
        while let entry = idle.next(of: user) { numbers.append(entry.number) }
        return numbers
    }

    @Test mutating func `each user's come in the order in which they were served last, each once`() {
        let all = [
            session(1, servedAt: 30), session(2, servedAt: 10), session(3, user: 2, servedAt: 5),
            session(4, servedAt: 20), session(6, servedAt: 20),
        ]
        #expect(numbers(of: 1) == [])
        idle.look(at: Instant(nanoseconds: 0), among: 5) { all }
        #expect(numbers(of: 1) == [2, 4, 6, 1])
        #expect(numbers(of: 1) == [])
        #expect(numbers(of: 2) == [3])
        let more = all + [session(5, servedAt: 1)]
        idle.look(at: Instant(nanoseconds: 0), among: 6) { more }
        #expect(numbers(of: 1) == [5, 2, 4, 6, 1])
    }

    @Test mutating func `of many the next look comes only after a pause`() {
        let all = (1...257).map { session(UInt64($0), servedAt: 0) }
        let start = Instant(nanoseconds: 7)
        idle.look(at: start, among: 257) { all }
        #expect(numbers(of: 1).count == 257)
        idle.look(at: start.advanced(by: .microseconds(2569)), among: 257) { all }
        #expect(numbers(of: 1) == [])
        idle.look(at: start.advanced(by: .microseconds(2570)), among: 257) { all }
        #expect(numbers(of: 1).count == 257)
    }
}
