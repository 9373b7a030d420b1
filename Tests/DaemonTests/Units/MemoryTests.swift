import TestSupport
import Testing

@testable import Daemon

@Suite struct MemoryBudgetTests {
    private var budget = MemoryBudget()

    private mutating func hold(_ bytes: Int) {
        budget.changed(from: Holdings(), to: Holdings(output: bytes))
    }

    @Test mutating func `each may hold what is free for all, and a little in any case`() {
        budget.bytesMax = 1 << 20
        #expect(budget.shareBytes == 768 << 10)
        hold(600 << 10)
        #expect(budget.shareBytes == 168 << 10)
        hold(500 << 10)
        #expect(budget.isExceeded)
        #expect(budget.shareBytes == MemoryBudget.shareBytesMin)
    }

    @Test mutating func `it is pressed past its third and exceeded past its whole`() {
        budget.bytesMax = 99
        hold(33)
        #expect(!budget.isPressed)
        hold(1)
        #expect(budget.isPressed)
        hold(65)
        #expect(!budget.isExceeded)
        hold(1)
        #expect(budget.isExceeded)
    }

    @Test func `however many take all they may, one that holds nothing may begin`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 1...200 {
            var budget = MemoryBudget()
            let piece = Int.random(in: 1 << 10...16 << 10, using: &random)
            var holdings = Array(repeating: Holdings(), count: Int.random(in: 1...100, using: &random))
            var grew = true
            while grew {
                grew = false
                for index in holdings.indices where budget.admits(piece, to: holdings[index]) {
                    let before = holdings[index]
                    holdings[index].reserved += piece
                    budget.changed(from: before, to: holdings[index])
                    grew = true
                }
            }
            #expect(budget.admits(piece, to: Holdings()))
            #expect(budget.held.reserved <= budget.bytesMax / 3)
        }
    }

    @Test mutating func `a connection with much unread begins no further work`() {
        budget.bytesMax = 100 << 10
        hold(60 << 10)
        #expect(budget.admits(1 << 10, to: Holdings(output: 16 << 10)))
        #expect(!budget.admits(1 << 10, to: Holdings(output: 16 << 10 + 1)))
    }
}

@Suite struct WorkQueueTests {
    private var queue = WorkQueue<Void>()

    private mutating func add(
        _ request: UInt64,
        of connection: UInt64,
        bytes: Int = 1,
        holdsNothing: Bool = false
    ) {
        let waiting = WorkQueue.Waiting(number: request, bytes: bytes, request: ())
        queue.add(waiting, of: connection, holdsNothing: holdsNothing)
    }

    private mutating func next(bytesMax: Int = .max) -> UInt64? {
        queue.next { waiting, _ in waiting.bytes <= bytesMax }?.0.number
    }

    @Test mutating func `connections go on in turn, each one's requests in their order`() {
        for request in [11, 12, 13] as [UInt64] { add(request, of: 1) }
        add(21, of: 2)
        #expect(queue.hasWaiting(of: 2))
        var taken: [UInt64] = []
        while let request = next() { taken.append(request) }
        #expect(taken == [11, 21, 12, 13])
        #expect(queue.isEmpty)
    }

    @Test mutating func `one that needs too much leaves the turn to others, and keeps its own`() {
        add(1, of: 1, bytes: 100)
        add(2, of: 2)
        let taken = [next(bytesMax: 10), next(bytesMax: 10), next()]
        #expect(taken == [2, nil, 1])
    }

    @Test mutating func `a connection that holds nothing comes before all others, once`() {
        for connection in 1...100 as ClosedRange<UInt64> { add(connection, of: connection) }
        add(1001, of: 101, holdsNothing: true)
        add(1002, of: 101, holdsNothing: true)
        let taken = [next(), next(), next()]
        #expect(taken == [1001, 1, 2])
    }

    @Test mutating func `one that has left is passed over`() {
        add(1, of: 1)
        add(2, of: 2)
        queue.remove(1, of: 1)
        queue.remove(7, of: 2)
        #expect(!queue.hasWaiting(of: 1))
        let taken = next()
        #expect(taken == 2 && queue.isEmpty)
    }

    @Test func `at random none is lost and none comes twice`() {
        var random = SeededGenerator(seed: testSeed())
        var queue = WorkQueue<Void>()
        var expected: Set<UInt64> = []
        for request in 1...2000 as ClosedRange<UInt64> {
            let connection = UInt64.random(in: 1...100, using: &random)
            let waiting = WorkQueue.Waiting(number: request, bytes: 1, request: ())
            queue.add(waiting, of: connection, holdsNothing: Bool.random(using: &random))
            expected.insert(request)
            if Bool.random(using: &random) {
                queue.remove(request, of: connection)
                expected.remove(request)
            }
            guard Int.random(in: 0...2, using: &random) == 0, let (taken, _) = queue.next(where: { _, _ in true })
            else { continue }
            let removed = expected.remove(taken.number)
            #expect(removed != nil)
        }
        while let (taken, _) = queue.next(where: { _, _ in true }) {
            let removed = expected.remove(taken.number)
            #expect(removed != nil)
        }
        #expect(expected.isEmpty && queue.isEmpty)
    }
}

@Suite struct MemoryPeakTests {
    @Test func `memory goes back once a quarter of the peak is left, if that was worth it`() {
        var peak = MemoryPeak()
        let most = MemoryPeak.bytesMin
        let told = [most - 1, 0, most, most / 4 + 1, most / 4, 0].map { peak.isPast($0) }
        #expect(told == [false, false, false, false, true, false])
    }
}
