import TestSupport
import Testing

@testable import EventLoop

struct TimerHeapTests {
    @Test func `timers fire in the order of their deadlines, and equal deadlines in the order of setting`() {
        var heap = TimerHeap<String>()
        for (deadline, name) in [(30, "c"), (10, "a1"), (20, "b"), (10, "a2")] {
            _ = heap.insert(deadline: Instant(nanoseconds: Int64(deadline)), action: name)
        }
        #expect(heap.nextDeadline == Instant(nanoseconds: 10))
        #expect(heap.popDue(at: Instant(nanoseconds: 9)) == nil)
        #expect(heap.popDue(at: Instant(nanoseconds: 10)) == "a1")
        #expect(heap.popDue(at: Instant(nanoseconds: 25)) == "a2")
        #expect(heap.popDue(at: Instant(nanoseconds: 25)) == "b")
        #expect(heap.popDue(at: Instant(nanoseconds: 25)) == nil)
        #expect(heap.popDue(at: Instant(nanoseconds: 30)) == "c")
        #expect(heap.isEmpty)
    }

    @Test func `a cancelled timer never fires, and cancelling it again does nothing`() {
        var heap = TimerHeap<Int>()
        let first = heap.insert(deadline: Instant(nanoseconds: 1), action: 1)
        _ = heap.insert(deadline: Instant(nanoseconds: 2), action: 2)
        #expect(heap.remove(first) == 1)
        #expect(heap.remove(first) == nil)
        #expect(heap.popDue(at: Instant(nanoseconds: 5)) == 2)
        #expect(heap.popDue(at: Instant(nanoseconds: 5)) == nil)
    }

    @Test func `random operations have the same results as on a simple list`() {
        var random = SeededGenerator(seed: testSeed())
        var heap = TimerHeap<Int>()
        var model: [(deadline: Int64, order: Int, id: TimerHeap<Int>.ID)] = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let deadline = Int64.random(in: 0..<1000, using: &random)
                model.append((deadline, step, heap.insert(deadline: Instant(nanoseconds: deadline), action: step)))
            case 5..<8 where !model.isEmpty:
                let victim = model.remove(at: Int.random(in: 0..<model.count, using: &random))
                #expect(heap.remove(victim.id) == victim.order)
            default:
                let now = Int64.random(in: 0..<1000, using: &random)
                let due = model.filter { $0.deadline <= now }.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
                #expect(heap.popDue(at: Instant(nanoseconds: now)) == due?.order)
                model.removeAll { $0.order == due?.order }
            }
            #expect(heap.count == model.count)
        }
    }
}
