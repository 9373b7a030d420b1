import Testing

@testable import Engine

/// Which calls are refused, and when to come back.
struct FairQueueRefusalTests {
    // MARK: Deadlines

    @Test(arguments: [0, 1, 5]) func `a call that can't be answered in time is refused when it comes`(ahead: Int) {
        let (queue, _) = TestQueue.busy(slots: 2, callsTake: .milliseconds(100))
        for _ in 0..<ahead { queue.ask(claim(1)) }
        // Two at a time end every 100 ms, and the call itself takes as long.
        let answered = Duration.milliseconds(100 * (ahead / 2) + 200)
        let refused = queue.arrival([claim(1)], by: answered - .nanoseconds(1))
        #expect(refused == .refused(.load, retryAfter: .nanoseconds(1)))
        #expect(queue.waitingCount == ahead)
        #expect(queue.ask(claim(1), by: answered) != nil)
    }

    @Test func `a light client is not refused for what others have waiting`() {
        let (queue, _) = TestQueue.busy(slots: 1, callsTake: .milliseconds(100))
        for _ in 0..<50 { queue.ask(claim(1)) }
        #expect(queue.ask(claim(1), by: .milliseconds(300)) == nil)
        #expect(queue.ask(claim(2, .background), by: .milliseconds(300)) == nil)
        #expect(queue.ask(claim(2), by: .milliseconds(300)) != nil)
    }

    @Test func `where the rate is the limit the refusal says so`() {
        let (queue, _) = TestQueue.busy(slots: 4, callsTake: .milliseconds(400), gateTakes: .milliseconds(300))
        for _ in 0..<3 { queue.ask(claim(1)) }
        let refused = queue.arrival([claim(1)], by: .milliseconds(1299))
        #expect(refused == .refused(.rate, retryAfter: .milliseconds(1)))
        #expect(queue.ask(claim(1), by: .milliseconds(1300)) != nil)
    }

    @Test func `while the gate is known to be shut nobody waits before it in vain`() throws {
        let (queue, running) = TestQueue.busy(slots: 2, callsTake: .milliseconds(100))
        queue.end(running[0], at: .milliseconds(100))
        queue.ask(claim(1))
        let first = try #require(queue.begin())
        queue.hold(first, until: .seconds(60))
        let refused = queue.arrival([claim(2)], by: .seconds(10))
        #expect(refused == .refused(.rate, retryAfter: .milliseconds(50_100)))
        queue.pass(first, at: .milliseconds(1))
        #expect(queue.ask(claim(2), by: .seconds(10)) != nil)
    }

    @Test func `a call that can begin at once is never refused, nor any before a pace is known`() {
        let fresh = TestQueue(slots: 1)
        for _ in 0..<100 { #expect(fresh.ask(claim(1), by: .zero) != nil) }
        let (queue, running) = TestQueue.busy(slots: 1, callsTake: .seconds(100))
        #expect(queue.ask(claim(1), by: .zero) == nil)
        queue.end(running[0], at: .seconds(100))
        #expect(queue.ask(claim(1), by: .zero) != nil)
    }

    // MARK: Bounds

    @Test func `one call too many of a client is refused until another has begun`() {
        let limits = FairQueue.Limits(waitingMax: 100, waitingPerClientMax: 3)
        let (queue, running) = TestQueue.busy(slots: 1, callsTake: .milliseconds(100), limits: limits)
        for _ in 0..<3 { #expect(queue.ask(claim(1)) != nil) }
        let refused = queue.arrival([claim(1, .background)])
        #expect(refused == .refused(.load, retryAfter: .milliseconds(100)))
        #expect(queue.ask(claim(2)) != nil)
        queue.end(running[0], at: .milliseconds(100))
        #expect(queue.begin() != nil)
        #expect(queue.ask(claim(1)) != nil)
    }

    @Test func `a client with its share waiting may still join the calls of others`() throws {
        let queue = TestQueue(slots: 1, limits: FairQueue.Limits(waitingMax: 100, waitingPerClientMax: 2))
        for _ in 0..<2 { queue.ask(claim(1), as: "own") }
        let shared = try #require(queue.ask(claim(2), as: "shared"))
        queue.change(shared, to: claim(1), claim(2))
        #expect(queue.ask(claim(1)) == nil)
        #expect(queue.ask(claim(1), claim(3), as: "third's") != nil)
        #expect(queue.drain() == ["own", "shared", "third's", "own"])
    }

    @Test func `when too many wait the client with most makes room for one with less`() throws {
        let queue = TestQueue(slots: 1, limits: FairQueue.Limits(waitingMax: 6, waitingPerClientMax: 100))
        let many = try (0..<4).map { _ in try #require(queue.ask(claim(1))) }
        for _ in 0..<2 { queue.ask(claim(2)) }
        #expect(queue.ask(claim(1)) == nil)
        #expect(queue.arrival([claim(3)]).evicted == many[3])
        #expect(queue.waitingCount == 6)
        #expect(!queue.leave(many[3]))
        // Among equals nobody has to go.
        #expect(queue.arrival([claim(3)]).evicted == many[2])
        #expect(queue.arrival([claim(3)]) == .refused(.load, retryAfter: FairQueue.retryAfterDefault))
    }

    @Test func `one call too many of a user is refused, whatever its program calls itself`() throws {
        let limits = FairQueue.Limits(waitingMax: 100, waitingPerUserMax: 4, waitingPerClientMax: 3)
        let queue = TestQueue(slots: 1, limits: limits)
        let calls = try (1...4).map { try #require(queue.ask(claim($0))) }
        #expect(queue.ask(claim(5)) == nil)
        #expect(queue.ask(claim(5, .background)) == nil)
        #expect(queue.ask(claim(1, user: 2)) != nil)
        #expect(queue.leave(calls[0]))
        #expect(queue.ask(claim(5)) != nil)
    }

    @Test func `where a user has its share its own program with most makes room, and no other user's`() throws {
        let limits = FairQueue.Limits(waitingMax: 100, waitingPerUserMax: 4, waitingPerClientMax: 3)
        let queue = TestQueue(slots: 1, limits: limits)
        for _ in 0..<3 { queue.ask(claim(1, user: 2)) }
        let own = try (0..<3).map { _ in try #require(queue.ask(claim(1))) }
        queue.ask(claim(2))
        #expect(queue.arrival([claim(3)]).evicted == own[2])
        #expect(queue.ask(claim(3)) == nil)
    }

    @Test func `when too many wait the user with most makes room, under however many names`() throws {
        let limits = FairQueue.Limits(waitingMax: 6, waitingPerUserMax: 6, waitingPerClientMax: 6)
        let queue = TestQueue(slots: 1, limits: limits)
        let many = try (0..<5).map { try #require(queue.ask(claim($0))) }
        queue.ask(claim(0, user: 2))
        #expect(queue.arrival([claim(0, user: 3)]).evicted == many[4])
        #expect(queue.arrival([claim(1, user: 2)]).evicted == many[3])
        // The newcomer's user would have as many.
        #expect(queue.arrival([claim(2, user: 2)]) == .refused(.load, retryAfter: FairQueue.retryAfterDefault))
        #expect(queue.waitingCount == 6)
    }

    @Test func `when too many wait a background call makes room for an interactive one, never the other way round`() {
        let queue = TestQueue(slots: 1, limits: FairQueue.Limits(waitingMax: 2, waitingPerClientMax: 100))
        let background = queue.ask(claim(1, .background))
        queue.ask(claim(2))
        #expect(queue.arrival([claim(2)]).evicted == background)
        #expect(background != nil)
        #expect(queue.ask(claim(3, .background)) == nil)
    }
}

extension FairQueue.Arrival {
    /// The call that had to go; nil when none had to.
    fileprivate var evicted: FairQueue.CallID? {
        if case .waits(_, let evicted) = self { evicted } else { nil }
    }
}
