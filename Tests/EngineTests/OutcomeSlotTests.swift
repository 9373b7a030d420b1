import TestSupport
import Testing

@testable import Engine

@Suite struct OutcomeSlotTests {
    @Test func `an outcome that comes before its caller waits is there when it does`() throws {
        let outcome = try virtually { _, _ in
            let seat = OutcomeSlot<Int>()
            seat.end(7)
            return await withCheckedContinuation { seat.wait($0) }
        }
        #expect(outcome == 7)
    }

    @Test func `an outcome that comes later is waited for`() throws {
        let outcome = try virtually { loop, _ in
            await withCheckedContinuation { continuation in
                let seat = OutcomeSlot<Int>()
                seat.wait(continuation)
                seat.end(7)
            }
        }
        #expect(outcome == 7)
    }
}
