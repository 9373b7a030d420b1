import Testing

@testable import Upstream

/// Tests of the order in which a source serves calls.
///
/// `claim(1)` asks for a call of client 1. A turn is the right of a client to begin one call. A call begins when it leaves
/// the queue. It is sent when the rate limit admits it.
struct FairQueueTests {
    @Test func `clients take turns, the calls of a client keep their order, and background calls come last`() {
        let queue = TestQueue(slots: 1)
        for (name, claim) in [
            ("a1", claim(1)), ("b", claim(9, .background)), ("a2", claim(1)), ("a3", claim(1)), ("c1", claim(2)),
            ("c2", claim(2)), ("d1", claim(3)),
        ] { queue.ask(claim, as: name) }
        #expect(queue.drain() == ["a1", "c1", "d1", "a2", "c2", "a3", "b"])
        #expect(queue.waitingCount == 0 && queue.runningCount == 0)
    }

    @Test func `a new client gets its turn after all clients that already wait`() {
        let queue = TestQueue(slots: 1)
        for name in ["a", "b", "c"] { queue.ask(claim(name.utf8.reduce(0) { $0 + Int($1) }), as: name) }
        for _ in 0..<3 { queue.ask(claim(1), as: "f") }
        #expect(queue.runNext() == "a")
        for _ in 0..<3 { queue.ask(claim(2), as: "n") }
        #expect(queue.drain() == ["b", "c", "f", "n", "f", "n", "f", "n"])
    }

    @Test func `users take turns, regardless of how many programs each runs`() {
        let queue = TestQueue(slots: 1)
        for program in 0..<4 { queue.ask(claim(program, user: 1), as: "a\(program)") }
        for _ in 0..<2 { queue.ask(claim(0, user: 2), as: "b") }
        #expect(queue.runNext() == "a0")
        queue.ask(claim(9, user: 3), as: "c")
        #expect(queue.drain() == ["b", "a1", "c", "b", "a2", "a3"])
    }

    @Test func `a waiting call that a second client joins begins at the first turn of either client`() {
        let queue = TestQueue(slots: 1)
        for number in 0..<5 { queue.ask(claim(1), as: "\(number)") }
        let last = queue.ask(claim(1), as: "shared")
        let other = TestQueue(copying: queue)
        queue.change(last, to: claim(1), claim(2))
        #expect(queue.drain() == ["0", "shared", "1", "2", "3", "4"])
        #expect(queue.waitingCount == 0)
        other.change(last, to: claim(1), claim(2))
        other.change(last, to: claim(1))
        #expect(other.drain().last == "shared")
    }

    @Test func `if an interactive caller joins a background call, the call becomes interactive`() {
        let queue = TestQueue(slots: 1)
        queue.ask(claim(1, .background), as: "first")
        let second = queue.ask(claim(1, .background), as: "second")
        queue.change(second, to: claim(1, .background), claim(1, .interactive))
        #expect(queue.drain() == ["second", "first"])
    }

    @Test func `a call begins only after the previously begun call was admitted or ended`() throws {
        let queue = TestQueue(slots: 4)
        for number in 0..<4 { queue.ask(claim(number)) }
        let first = try #require(queue.begin())
        #expect(queue.begin() == nil)
        queue.admit(first)
        let second = try #require(queue.begin())
        #expect(queue.begin() == nil)
        queue.end(second)
        #expect(queue.begin() != nil)
        #expect(queue.runningCount == 2)
    }

    @Test func `while a begun call waits for the rate limit, only a call with a higher priority can begin`() throws {
        let queue = TestQueue(slots: 4)
        queue.ask(claim(1, .background))
        let background = try #require(queue.begin())
        queue.ask(claim(2))
        let interactive = try #require(queue.begin())
        queue.admit(background)
        queue.ask(claim(1, .background))
        #expect(queue.begin() == nil)
        queue.admit(interactive)
        #expect(queue.begin() != nil)
    }

    @Test(arguments: [(1, 1), (2, 1), (4, 3)])
    func `if there are several slots, background calls leave one free`(slots: Int, most: Int) {
        let queue = TestQueue(slots: slots)
        for number in 0..<5 { queue.ask(claim(number, .background)) }
        var running = 0
        while let call = queue.begin() {
            queue.admit(call)
            running += 1
        }
        #expect(running == most)
    }

    @Test func `the position of a new call is the number of calls that will begin before the new call`() {
        let queue = TestQueue(slots: 1)
        for _ in 0..<5 { queue.ask(claim(1)) }
        for _ in 0..<2 { queue.ask(claim(2)) }
        queue.ask(claim(3, user: 7))
        #expect(queue.position(of: claim(9, user: 8)).ahead == 2)
        #expect(queue.position(of: claim(9)).ahead == 3)
        #expect(queue.position(of: claim(2)).ahead == 6)
        #expect(queue.position(of: claim(9, user: 8, .background)).ahead == 8)
        #expect(queue.position(of: claim(1), claim(9, user: 8)).ahead == 2)
    }

    @Test func `the estimated wait is the number of earlier calls times their duration, divided by the slots`() throws {
        let queue = TestQueue(slots: 2)
        for number in 0..<3 { queue.ask(claim(number)) }
        let first = try #require(queue.begin())
        queue.admit(first)
        queue.end(first, at: .milliseconds(100))
        #expect(queue.position(of: claim(9)).slotWait == .milliseconds(50))
        queue.admit(try #require(queue.begin()))
        #expect(queue.position(of: claim(9)).slotWait == .milliseconds(50))
        queue.admit(try #require(queue.begin()))
        queue.ask(claim(4))
        let position = queue.position(of: claim(9))
        #expect(position == FairQueue.Position(ahead: 1, slotWait: .milliseconds(100), isBehindOthers: true))
    }
}
