import EventLoop
import Testing

@testable import Engine

/// What a call knows of those who wait for it.
@Suite struct CallTicketTests {
    private typealias Caller = CallTicket.Caller

    private static let user = ClientIdentity(userID: 1000, program: "launcher")

    @Test func `it is as urgent as the most urgent of those who wait`() {
        let ticket = CallTicket(for: Caller(client: Self.user, priority: .background))
        ticket.join(Caller(client: Self.user, priority: .background), as: 1)
        #expect(ticket.priority == .background)
        ticket.join(Caller(), as: 2)
        #expect(ticket.priority == .interactive)
        ticket.leave(2)
        #expect(ticket.priority == .background)
        #expect(ticket.client == Self.user)
    }

    @Test func `its deadline is the latest, and none once one waits without`() {
        let ticket = CallTicket()
        ticket.join(Caller(), until: at(.seconds(1)), as: 1)
        #expect(ticket.deadline == at(.seconds(1)))
        ticket.join(Caller(), until: at(.seconds(3)), as: 2)
        #expect(ticket.deadline == at(.seconds(3)))
        ticket.join(Caller(), until: at(.seconds(2)), as: 3)
        #expect(ticket.deadline == at(.seconds(3)))
        ticket.join(Caller(), as: 4)
        #expect(ticket.deadline == nil)
    }

    @Test func `when all have left it keeps what the last one said`() {
        let ticket = CallTicket()
        ticket.join(Caller(priority: .background), until: at(.seconds(1)), as: 1)
        ticket.leave(1)
        #expect(ticket.priority == .background)
        #expect(ticket.deadline == at(.seconds(1)))
    }

    @Test func `the place where it waits learns of every change, and of nothing else`() {
        let changes = Locked(0)
        let ticket = CallTicket()
        ticket.join(Caller(priority: .background), until: at(.seconds(2)), as: 1)
        ticket.whenChanged { changes.withLock { $0 += 1 } }
        ticket.join(Caller(priority: .background), until: at(.seconds(1)), as: 2)
        #expect(changes.withLock { $0 } == 0)
        ticket.join(Caller(), until: at(.seconds(1)), as: 3)
        #expect(changes.withLock { $0 } == 1)
        ticket.leave(3)
        #expect(changes.withLock { $0 } == 2)
    }

    @Test func `all who wait are told, and those who left are not`() {
        let told = Locked<[Int]>([])
        let ticket = CallTicket()
        for number in 0..<3 {
            ticket.join(Caller { _ in told.withLock { $0.append(number) } }, as: UInt64(number))
        }
        ticket.leave(1)
        ticket.tell(.retrying(attempt: 1, wait: .zero))
        #expect(Set(told.withLock { $0 }) == [0, 2])
    }

    @Test func `it goes out once, however often it is tried`() {
        let sent = Locked(0)
        let ticket = CallTicket { sent.withLock { $0 += 1 } }
        #expect(!ticket.isSent)
        ticket.sent()
        ticket.sent()
        #expect(ticket.isSent)
        #expect(sent.withLock { $0 } == 1)
    }
}
