import Testing

@testable import Engine

/// Whose call begins.
struct FairQueueTests {
    @Test func `clients take turns, each in its own order, interactive before background`() {
        let queue = TestQueue(slots: 1)
        for (name, claim) in [
            ("a1", claim(1)), ("b", claim(9, .background)), ("a2", claim(1)), ("a3", claim(1)), ("c1", claim(2)),
            ("c2", claim(2)), ("d1", claim(3)),
        ] { queue.ask(claim, as: name) }
        #expect(queue.drain() == ["a1", "c1", "d1", "a2", "c2", "a3", "b"])
        #expect(queue.waitingCount == 0 && queue.runningCount == 0)
    }

    @Test func `one who asked for less comes first until it has caught up`() throws {
        let queue = TestQueue(slots: 1)
        for _ in 0..<60 { queue.ask(claim(1), as: "f") }
        for _ in 0..<30 {
            let call = try #require(queue.begin())
            queue.pass(call)
            queue.end(call)
        }
        for _ in 0..<12 { queue.ask(claim(2), as: "n") }
        let head = queue.drain().prefix(FairLane<Int>.roundsBehindMax + 6)
        #expect(head.joined() == String(repeating: "n", count: FairLane<Int>.roundsBehindMax) + "nfnfnf")
    }

    @Test func `one who comes again soon is no newcomer`() throws {
        let queue = TestQueue(slots: 1)
        for _ in 0..<60 { queue.ask(claim(1), as: "f") }
        for _ in 0..<20 {
            queue.ask(claim(2), as: "n")
            let call = try #require(queue.begin())
            queue.pass(call)
            queue.end(call)
        }
        for _ in 0..<3 { queue.ask(claim(2), as: "n") }
        // It has had its share: from here on they take turns.
        #expect(queue.drain().prefix(6).joined().contains("fn"))
    }

    @Test func `a call that was repeated counts as often as it was made`() throws {
        let queue = TestQueue(slots: 1)
        for _ in 0..<3 { queue.ask(claim(1), as: "a") }
        for _ in 0..<3 { queue.ask(claim(2), as: "b") }
        let first = try #require(queue.begin())
        queue.pass(first)
        queue.repeat(first)
        queue.repeat(first)
        queue.end(first)
        #expect(queue.drain() == ["b", "b", "b", "a", "a"])
    }

    @Test func `whoever joins a waiting call lends it its turn, and takes it away again`() throws {
        let queue = TestQueue(slots: 1)
        for number in 0..<5 { queue.ask(claim(1), as: "\(number)") }
        let last = try #require(queue.ask(claim(1), as: "shared"))
        let other = TestQueue(copying: queue)
        queue.change(last, to: claim(1), claim(2))
        #expect(queue.drain() == ["0", "shared", "1", "2", "3", "4"])
        #expect(queue.waitingCount == 0)
        other.change(last, to: claim(1), claim(2))
        other.change(last, to: claim(1))
        #expect(other.drain().last == "shared")
    }

    @Test func `a background call that an interactive caller joins is interactive`() throws {
        let queue = TestQueue(slots: 1)
        queue.ask(claim(1, .background), as: "first")
        let second = try #require(queue.ask(claim(1, .background), as: "second"))
        queue.change(second, to: claim(1, .background), claim(1, .interactive))
        #expect(queue.drain() == ["second", "first"])
    }

    @Test func `one call of a kind stands at the gate until it is let through or ends`() throws {
        let queue = TestQueue(slots: 4)
        for number in 0..<4 { queue.ask(claim(number)) }
        let first = try #require(queue.begin())
        #expect(queue.begin() == nil)
        queue.pass(first)
        let second = try #require(queue.begin())
        #expect(queue.begin() == nil)
        queue.end(second)
        #expect(queue.begin() != nil)
        #expect(queue.runningCount == 2)
    }

    @Test func `an interactive call passes by a background one at the gate, not the other way round`() throws {
        let queue = TestQueue(slots: 4)
        queue.ask(claim(1, .background))
        let background = try #require(queue.begin())
        queue.ask(claim(2))
        let interactive = try #require(queue.begin())
        queue.pass(background)
        queue.ask(claim(1, .background))
        #expect(queue.begin() == nil)
        queue.pass(interactive)
        #expect(queue.begin() != nil)
    }

    @Test(arguments: [(1, 1), (2, 1), (4, 3)])
    func `background calls leave a slot free where there are several`(slots: Int, most: Int) {
        let queue = TestQueue(slots: slots)
        for number in 0..<5 { queue.ask(claim(number, .background)) }
        var running = 0
        while let call = queue.begin() {
            queue.pass(call)
            running += 1
        }
        #expect(running == most)
    }

    @Test func `one who leaves gives its place back`() throws {
        let queue = TestQueue(slots: 1)
        let calls = try (0..<4).map { try #require(queue.ask(claim(1), as: "\($0)")) }
        #expect(queue.leave(calls[1]))
        #expect(!queue.leave(calls[1]))
        #expect(queue.drain() == ["0", "2", "3"])
        #expect(!queue.leave(calls[0]))
    }
}
