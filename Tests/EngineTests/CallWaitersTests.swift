import TestSupport
import Testing

@testable import Engine

/// What a call's waiters are, against the plainest way to say it.
struct CallWaitersTests {
    @Test func `its claims are those of the ones who wait, as far as they are told apart`() {
        var random = SeededGenerator(seed: testSeed())
        for clients in [2, CallWaiters.claimsPerUserMax / 2, CallWaiters.claimsPerUserMax * 2] {
            var waiters = CallWaiters()
            var waiting: [UInt64: CallDemand.Claim] = [:]
            for number in 0..<UInt64(2000) {
                let before = waiters.claims
                if Bool.random(using: &random), let gone = waiting.keys.sorted().randomElement(using: &random) {
                    let hasChanged = waiters.leave(gone)
                    waiting[gone] = nil
                    if waiting.isEmpty { continue }
                    #expect(hasChanged == (waiters.claims != before))
                } else {
                    let priority = Int.random(in: 0..<20, using: &random) == 0 ? Priority.interactive : .background
                    let new = claim(Int.random(in: 0..<clients, using: &random), priority)
                    let caller = CallDemand.Caller(client: new.client, priority: priority)
                    let hasChanged = waiters.join(caller, until: at(.zero), as: number)
                    #expect(hasChanged == (waiters.claims != before) || waiting.isEmpty)
                    waiting[number] = new
                }
                let all = Set(waiting.values)
                #expect(waiters.claims.isSubset(of: all))
                #expect(waiters.claims == all || waiters.claims.count >= CallWaiters.claimsPerUserMax)
                #expect(waiters.priority == all.map(\.priority).max())
            }
        }
    }

    @Test func `it stays urgent while anyone urgent waits, also beyond the claims that are counted`() {
        var waiters = CallWaiters()
        for number in 0..<UInt64(CallWaiters.claimsPerUserMax) {
            let caller = CallDemand.Caller(client: claim(Int(number), .background).client, priority: .background)
            _ = waiters.join(caller, until: nil, as: number)
        }
        let urgent = [UInt64(100), 101]
        for number in urgent {
            let caller = CallDemand.Caller(client: claim(Int(number), .interactive).client, priority: .interactive)
            _ = waiters.join(caller, until: nil, as: number)
        }
        let hasChanged = waiters.leave(urgent[0])
        #expect(hasChanged)
        #expect(waiters.priority == .interactive)
    }

    @Test func `a user under many names takes no other user's claim away`() {
        var waiters = CallWaiters()
        var number: UInt64 = 0
        func join(_ program: Int, of user: Int) {
            let client = ClientIdentity(userID: UInt32(user), program: "\(program)")
            _ = waiters.join(CallDemand.Caller(client: client), until: nil, as: number)
            number += 1
        }
        for program in 0..<100 { join(program, of: 0) }
        #expect(waiters.claims.count == CallWaiters.claimsPerUserMax)
        for user in 1...CallWaiters.usersMax { join(0, of: user) }
        #expect(Set(waiters.claims.map(\.client.userID)) == Set(0..<UInt32(CallWaiters.usersMax)))
        // Where a claim of a user ends, another of the same user counts.
        let hasChanged = waiters.leave(0)
        #expect(hasChanged)
        #expect(waiters.claims.count == CallWaiters.claimsPerUserMax + CallWaiters.usersMax - 1)
    }

    @Test func `it may be kept as soon as anyone asked who is not private, be he gone by then`() {
        var waiters = CallWaiters()
        _ = waiters.join(CallDemand.Caller(isPrivate: true), until: nil, as: 1)
        #expect(!waiters.mayBeKept)
        _ = waiters.join(CallDemand.Caller(), until: nil, as: 2)
        _ = waiters.leave(2)
        #expect(waiters.mayBeKept)
    }

    @Test func `a call ends at its cap, however long its callers would wait`() {
        let demand = CallDemand(for: CallDemand.Caller(), cap: at(.seconds(5)))
        demand.join(CallDemand.Caller(), until: at(.seconds(3)), as: 1)
        #expect(demand.deadline == at(.seconds(3)))
        demand.join(CallDemand.Caller(), until: at(.seconds(9)), as: 2)
        #expect(demand.deadline == at(.seconds(5)))
        demand.join(CallDemand.Caller(), as: 3)
        #expect(demand.deadline == at(.seconds(5)))
    }
}
