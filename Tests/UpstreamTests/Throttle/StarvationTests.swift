import EventLoop
import SearchTestSupport
import TestSupport
import Testing

@testable import Upstream

/// A client that sends calls under many names must not delay another client for long.
struct StarvationTests {
    private struct Source {
        var queue = FairQueue()
        private var waiting: [ClientIdentity: (calls: Int, served: [ClientIdentity])] = [:]
        private var askers: [FairQueue.CallID: ClientIdentity] = [:]
        private var lastCall: FairQueue.CallID = 0
        private(set) var servedCount: [ClientIdentity: Int] = [:]
        /// For each client, how many calls of other clients were served during its longest wait.
        private(set) var longestWait: [ClientIdentity: Int] = [:]

        var clients: [ClientIdentity] {
            waiting.keys.sorted { ($0.userID, $0.program) < ($1.userID, $1.program) }
        }

        mutating func ask(_ client: ClientIdentity) {
            let claims: Set = [CallDemand.Claim(client: client, priority: .interactive)]
            lastCall += 1
            queue.arrived(lastCall, for: claims)
            askers[lastCall] = client
            waiting[client, default: (0, [])].calls += 1
        }

        mutating func leave(_ client: ClientIdentity) {
            let calls = askers.filter { $0.value == client }.keys.sorted()
            guard let call = calls.last else { return }
            _ = queue.left(call)
            askers[call] = nil
            waiting[client]?.calls -= 1
            if waiting[client]?.calls == 0 { waiting[client] = nil }
        }

        @discardableResult
        mutating func serve() -> ClientIdentity? {
            guard let call = queue.next(slots: 1), let client = askers.removeValue(forKey: call) else {
                return nil
            }
            queue.admitted(call, at: at(.zero))
            queue.ended(call, at: at(.zero))
            servedCount[client, default: 0] += 1
            let seen = waiting[client]?.served ?? []
            longestWait[client] = max(longestWait[client] ?? 0, seen.count)
            check(client, seen)
            waiting[client]?.calls -= 1
            waiting[client]?.served = []
            if waiting[client]?.calls == 0 { waiting[client] = nil }
            for other in waiting.keys where other != client { waiting[other]?.served.append(client) }
            return client
        }

        /// `seen` lists the clients whose calls were served while `client` waited.
        private func check(_ client: ClientIdentity, _ seen: [ClientIdentity]) {
            let own = seen.filter { $0.userID == client.userID }
            #expect(Set(own).count == own.count, "\(client) waited for \(own)")
            let others = Dictionary(grouping: seen.map(\.userID).filter { $0 != client.userID }) { $0 }
            #expect(others.values.allSatisfy { $0.count <= own.count + 1 }, "\(client) waited for \(seen)")
        }
    }

    @Test func `while a client waits, every other program of the same user is served at most once`() {
        var random = SeededGenerator(seed: testSeed())
        var served = 0
        for _ in 0..<max(testEvents(8_000) / 1000, 1) {
            var source = Source()
            let (users, programs) = (UInt32.random(in: 1...4, using: &random), Int.random(in: 1...90, using: &random))
            var fresh = 1000
            for _ in 0..<1000 {
                let user = UInt32.random(in: 1...users, using: &random)
                switch Int.random(in: 0..<20, using: &random) {
                case 0..<6: source.ask(client(Int.random(in: 0..<programs, using: &random), user: user))
                case 6..<10:
                    fresh += 1
                    source.ask(client(fresh, user: user))
                case 10: source.clients.randomElement(using: &random).map { source.leave($0) }
                default: if source.serve() != nil { served += 1 }
                }
            }
        }
        #expect(served > 1000)
        proved("\(served) calls served: no client waited for two calls of another program of its user")
    }

    @Test func `a user with many program names gets at most one call between another user's calls`() {
        var source = Source()
        let patient = client(0, user: 2)
        source.ask(patient)
        for name in 0..<300 { source.ask(client(name)) }
        for name in 300..<600 { source.ask(source.serve() == patient ? patient : client(name)) }
        #expect((source.longestWait[patient] ?? .max) <= 1)
        #expect((source.servedCount[patient] ?? 0) >= 149)
    }

    @Test func `names that differ only in Unicode normalization are different clients`() {
        #expect(ClientIdentity(userID: 1, program: "\u{E9}") != ClientIdentity(userID: 1, program: "e\u{301}"))
        #expect(ClientIdentity(userID: 1, program: "a") == ClientIdentity(userID: 1, program: "a"))
        let marks = String(repeating: "\u{301}\u{316}", count: 100_000)
        // Comparing the names by canonical equivalence would take a minute.
        let names = Set((0..<4).map { ClientIdentity(userID: 1, program: marks + "\($0)") })
        #expect(names.count == 4)
    }
}
