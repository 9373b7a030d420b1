import EventLoop
import Testing

@testable import HTTP

struct HTTPTransferMachineTests {
    private let timeouts = FetchTimeouts(connect: .seconds(3), firstByte: .seconds(10), whole: .seconds(15))

    private func at(_ seconds: Double) -> Instant {
        Instant(nanoseconds: Int64(seconds * 1_000_000_000))
    }

    private func machine() -> HTTPTransferMachine {
        HTTPTransferMachine(timeouts: timeouts, now: at(0))
    }

    @Test func `sending is announced once, and an exchange can end only once`() {
        var machine = machine()
        #expect(!machine.wasSent)
        #expect(machine.readyToSend(now: at(2)) == .announceAndSend)
        #expect(machine.wasSent)
        machine.receivedHead()
        #expect(machine.ended() == true)
        #expect(machine.ended() == false)
    }

    @Test func `the deadline of each phase is at most the total deadline`() {
        var machine = machine()
        #expect(machine.deadline == at(1.5) && !machine.isResolved)
        machine.resolved()
        #expect(machine.deadline == at(3) && machine.isResolved)
        _ = machine.readyToSend(now: at(2))
        #expect(machine.deadline == at(12))
        _ = machine.readyToSend(now: at(6))
        #expect(machine.deadline == at(15))
        machine.receivedHead()
        #expect(machine.deadline == at(15))
        _ = machine.ended()
        #expect(machine.deadline == nil)
    }

    @Test func `at the deadline of a phase, the machine reports this phase`() {
        var machine = machine()
        #expect(machine.expired(now: at(1)) == nil)
        #expect(machine.expired(now: at(1.5)) == .resolve)
        machine.resolved()
        #expect(machine.expired(now: at(2)) == nil)
        #expect(machine.expired(now: at(3)) == .connect)
        _ = machine.readyToSend(now: at(2))
        #expect(machine.expired(now: at(3)) == nil)
        #expect(machine.expired(now: at(12)) == .firstByte)
        machine.receivedHead()
        #expect(machine.expired(now: at(12)) == nil)
        #expect(machine.expired(now: at(16)) == .whole)
        _ = machine.ended()
        #expect(machine.expired(now: at(17)) == nil)
    }

    @Test func `the total deadline takes precedence over an equal deadline of a phase`() {
        let machine = HTTPTransferMachine(
            timeouts: FetchTimeouts(resolve: .seconds(15), connect: .seconds(15), whole: .seconds(15)),
            now: at(0)
        )
        #expect(machine.expired(now: at(15)) == .whole)
    }

    @Test func `retries and redirects are sent without another announcement`() {
        var machine = machine()
        #expect(machine.readyToSend(now: at(1)) == .announceAndSend)
        #expect(machine.readyToSend(now: at(2)) == .send)
        machine.receivedHead()
        machine.redirected(now: at(3))
        machine.resolved()
        #expect(machine.deadline == at(6))
        #expect(machine.wasSent)
        #expect(machine.readyToSend(now: at(4)) == .send)
    }

    @Test func `nothing is sent after the end`() {
        var machine = machine()
        #expect(machine.ended() == true)
        #expect(machine.readyToSend(now: at(2)) == .abort)
        machine.redirected(now: at(2))
        #expect(!machine.wasSent)
        #expect(machine.isFinished)
    }

    @Test func `nothing is sent again after a response has begun`() {
        var machine = machine()
        _ = machine.readyToSend(now: at(1))
        machine.receivedHead()
        #expect(machine.readyToSend(now: at(3)) == .abort)
    }
}
