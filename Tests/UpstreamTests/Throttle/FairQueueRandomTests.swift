import EventLoop
import TestSupport
import Testing

@testable import Upstream

/// Calls that come, are joined, left, begun and ended at random.
struct FairQueueRandomTests {
    /// The queue, and what is known of its calls from what it was told and has answered.
    private struct Play {
        var queue: FairQueue
        var random: SeededGenerator
        let slots: Int
        var waiting: [FairQueue.CallID: Set<CallDemand.Claim>] = [:]
        var atGate: [FairQueue.CallID: Priority] = [:]
        var passed: [FairQueue.CallID: Priority] = [:]
        var known: Set<FairQueue.CallID> = []
        var now: Int64 = 0

        mutating func randomClaims() -> Set<CallDemand.Claim> {
            let count = Int.random(in: 1...3, using: &random)
            return Set(
                (0..<count).map { _ in
                    claim(
                        Int.random(in: 0..<6, using: &random),
                        Bool.random(using: &random) ? .interactive : .background
                    )
                }
            )
        }

        mutating func step() {
            now += Int64.random(in: 0...20_000_000, using: &random)
            let instant = Instant(nanoseconds: now)
            // Sorted, so that a seed replays.
            switch Int.random(in: 0..<9, using: &random) {
            case 0..<4: arrive()
            case 4:
                if let call = pick(waiting.keys) {
                    let claims = randomClaims()
                    queue.changed(call, to: claims)
                    waiting[call] = claims
                }
            case 5:
                if let call = pick(waiting.keys) {
                    let hasLeft = queue.left(call)
                    #expect(hasLeft)
                    waiting[call] = nil
                }
            case 6:
                if let call = pick(atGate.keys) {
                    queue.passed(call, at: instant)
                    passed[call] = atGate.removeValue(forKey: call)
                }
            default:
                if let call = pick(Array(passed.keys) + Array(atGate.keys)) {
                    queue.ended(call, at: instant)
                    passed[call] = nil
                    atGate[call] = nil
                }
            }
            while let call = queue.next(slots: slots) { begun(call) }
            checkThatNobodyWaitsInVain()
        }

        private mutating func arrive() {
            guard waiting.count < 20 else { return }
            let claims = randomClaims()
            let call = queue.arrived(claims)
            #expect(!known.contains(call))
            known.insert(call)
            waiting[call] = claims
        }

        private mutating func begun(_ call: FairQueue.CallID) {
            guard let claims = waiting.removeValue(forKey: call) else {
                Issue.record("a call begins that did not wait")
                return
            }
            let isInteractive = claims.contains { $0.priority == .interactive }
            #expect(isInteractive || !waiting.values.contains { $0.contains { $0.priority == .interactive } })
            #expect(!atGate.values.contains(isInteractive ? .interactive : .background))
            atGate[call] = isInteractive ? .interactive : .background
            #expect(atGate.count + passed.count <= slots)
        }

        private func checkThatNobodyWaitsInVain() {
            #expect(queue.waitingCount == waiting.count && queue.runningCount == atGate.count + passed.count)
            guard atGate.isEmpty, atGate.count + passed.count < slots else { return }
            let running = passed.values.count { $0 == .background }
            #expect(waiting.isEmpty || running >= slots - 1)
            #expect(!waiting.values.contains { $0.contains { $0.priority == .interactive } })
        }

        private mutating func pick(_ calls: some Collection<FairQueue.CallID>) -> FairQueue.CallID? {
            calls.sorted { $0.number < $1.number }.randomElement(using: &random)
        }
    }

    @Test(arguments: 1...4) func `whatever happens every call begins at most once and none is lost`(slots: Int) {
        var play = Play(queue: FairQueue(), random: SeededGenerator(seed: testSeed()), slots: slots)
        for _ in 0..<4000 { play.step() }
        #expect(play.known.count > 1000)
    }
}
