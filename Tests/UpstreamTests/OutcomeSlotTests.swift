import EventLoop
import TestSupport
import Testing

@testable import Upstream

@Suite struct OutcomeSlotTests {
    /// Waits for one outcome.
    private actor Waiting: LoopActor {
        nonisolated let loop: EventLoop
        let slot = OutcomeSlot<String>()
        private var hasEnded = false

        init(on loop: EventLoop) {
            self.loop = loop
        }

        func wait() async -> String {
            await outcome(of: slot) { $0.end("cancelled") }
        }

        func end(_ outcome: String) {
            guard !hasEnded else { return }
            hasEnded = true
            slot.end(outcome)
        }
    }

    @Test func `an outcome that comes before its caller waits is there when it does`() throws {
        let outcome = try virtually { loop, _ in
            let waiting = Waiting(on: loop)
            await waiting.end("early")
            return await waiting.wait()
        }
        #expect(outcome == "early")
    }

    @Test func `an outcome that comes later is waited for`() throws {
        let (outcome, endedAt) = try virtually { loop, _ in
            let waiting = Waiting(on: loop)
            let task = Task(executorPreference: loop) { await waiting.wait() }
            try await loop.sleep(until: at(.seconds(1)))
            await waiting.end("late")
            return (await task.value, loop.now)
        }
        #expect(outcome == "late")
        #expect(endedAt == at(.seconds(1)))
    }

    @Test(arguments: [Duration.zero, .milliseconds(1)])
    func `a caller that is cancelled leaves at once, also before it waits`(after delay: Duration) throws {
        let (outcome, endedAt) = try virtually { loop, _ in
            let waiting = Waiting(on: loop)
            let task = Task(executorPreference: loop) { await waiting.wait() }
            if delay > .zero { try await loop.sleep(until: at(delay)) }
            task.cancel()
            return (await task.value, loop.now)
        }
        #expect(outcome == "cancelled")
        #expect(endedAt == at(delay))
    }
}
