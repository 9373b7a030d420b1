import EventLoop
import RPC
import Testing

@testable import Daemon

@Suite struct OutboxTests {
    private var outbox = Outbox()
    private let start = Instant(nanoseconds: 1_000_000_000)

    private mutating func append(_ count: Int, at seconds: Int64 = 0) {
        let bytes = [UInt8](repeating: 0x78, count: count)
        unsafe bytes.withUnsafeBytes { unsafe outbox.append($0, now: start.advanced(by: .seconds(seconds))) }
    }

    private mutating func send(_ count: Int, at seconds: Int64 = 0) {
        outbox.sent(count, now: start.advanced(by: .seconds(seconds)))
    }

    @Test mutating func `what is sent is gone, what is not stays in its order`() {
        #expect(outbox.isEmpty)
        let bytes = Array("abcdef".utf8)
        unsafe bytes.withUnsafeBytes { unsafe outbox.append($0, now: start) }
        send(2)
        #expect(outbox.count == 4)
        let unsent = unsafe outbox.withUnsent { unsafe Array($0) }
        #expect(unsent == Array("cdef".utf8))
        send(4)
        #expect(outbox.isEmpty && outbox.deadline == nil)
    }

    @Test mutating func `what has been sent of much is given back in time`() {
        append(1 << 20)
        for _ in 1...7 { send(128 << 10) }
        append(1)
        #expect(outbox.count == 128 << 10 + 1)
        while !outbox.isEmpty {
            let count = unsafe outbox.withUnsent { $0.count }
            #expect(count > 0)
            send(count)
        }
        #expect(outbox.isEmpty)
    }

    @Test mutating func `the stall is counted from the last progress, or from the first byte refused`() {
        append(10, at: 5)
        #expect(outbox.deadline == start.advanced(by: .seconds(5) + SessionLimits.progress))
        append(10, at: 20)
        #expect(outbox.deadline == start.advanced(by: .seconds(5) + SessionLimits.progress))
        send(1, at: 30)
        #expect(outbox.deadline == start.advanced(by: .seconds(30) + SessionLimits.progress))
        send(19, at: 31)
        append(1, at: 100)
        #expect(outbox.deadline == start.advanced(by: .seconds(100) + SessionLimits.progress))
    }
}
