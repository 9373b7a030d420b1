import Testing

@testable import EventLoop

struct LoopDecisionTests {
    @Test func `the loop never waits while there is work`() {
        #expect(LoopWait(hasWork: true, nextDeadline: Instant(nanoseconds: 9), now: Instant(nanoseconds: 1)) == .none)
    }

    @Test func `if a timer is set, the loop waits exactly until its deadline`() {
        let wait = LoopWait(hasWork: false, nextDeadline: Instant(nanoseconds: 9), now: Instant(nanoseconds: 2))
        #expect(wait == .atMost(nanoseconds: 7))
    }

    @Test func `the loop does not wait after a deadline has passed`() {
        #expect(LoopWait(hasWork: false, nextDeadline: Instant(nanoseconds: 2), now: Instant(nanoseconds: 2)) == .none)
    }

    @Test func `if there is no work and no timer, the loop waits for events`() {
        #expect(LoopWait(hasWork: false, nextDeadline: nil, now: Instant(nanoseconds: 2)) == .forever)
    }

    @Test func `a late event of a removed watch does not reach a newer watch in the same slot`() {
        var table = WatchTable()
        let old = table.insert(5) { _ in }
        let removals = [table.remove(old), table.remove(old)]
        #expect(removals == [true, false])
        let new = table.insert(5) { _ in }
        #expect(table.handler(for: old.token) == nil)
        #expect(table.handler(for: new.token) != nil)
        #expect(table.count == 1)
    }

    @Test func `an interrupted call is repeated`() throws {
        var script: [(Int, Int32)] = [(-1, 4), (-1, 4), (3, 0)]
        let outcome = try Transfer.performing("read") { script.removeFirst() }
        #expect(outcome == .bytes(3))
        #expect(script.isEmpty)
    }

    @Test func `EAGAIN, EPIPE and ECONNRESET are returned as outcomes, not thrown`() throws {
        #expect(try Transfer.performing("read") { (-1, 11) } == .wouldBlock)
        #expect(try Transfer.performing("send") { (-1, 32) } == .ended)
        #expect(try Transfer.performing("send") { (-1, 104) } == .ended)
    }

    @Test func `an unexpected error is thrown with the name of the call and a readable text`() {
        #expect {
            try Transfer.performing("send") { (-1, 28) }
        } throws: { error in
            error as? SystemError == SystemError(call: "send", number: 28)
                && "\(error)" == "send: No space left on device"
        }
    }

    @Test func `an instant or duration that would overflow becomes the largest value`() {
        let late = Instant(nanoseconds: .max - 1)
        #expect(late.advanced(by: .seconds(1)).nanoseconds == .max)
        #expect(Instant(nanoseconds: 0).advanced(by: .seconds(Int64.max)).nanoseconds == .max)
        #expect(Instant(nanoseconds: .min).duration(to: Instant(nanoseconds: .max)) == .nanoseconds(Int64.max))
        #expect(Instant(nanoseconds: 5).duration(to: Instant(nanoseconds: 3)) == .nanoseconds(-2))
    }
}
