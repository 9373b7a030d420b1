import TestSupport
import Testing

@testable import Engine

struct SieveOrderTests {
    @Test func `random inserts, uses and removals agree with a plain list`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<20 {
            var order = SieveOrder()
            var model = SlowSieve<Int>()
            var linked: Set<Int> = []
            for _ in 0..<400 {
                let slot = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<3:
                    guard linked.insert(slot).inserted else { continue }
                    order.insert(slot)
                    model.insert(slot)
                case 3:
                    guard linked.remove(slot) != nil else { continue }
                    order.remove(slot)
                    model.remove(slot)
                case 4..<6:
                    guard linked.contains(slot) else { continue }
                    order.use(slot)
                    model.use(slot)
                case 6:
                    let (victim, expected) = (order.victim(), model.victim())
                    #expect(victim == expected)
                default:
                    guard let victim = order.victim() else { continue }
                    let expected = model.victim()
                    #expect(victim == expected)
                    linked.remove(victim)
                    order.remove(victim)
                    model.remove(victim)
                }
            }
        }
    }

    @Test func `nothing is given up when there is nothing`() {
        var order = SieveOrder()
        #expect(order.victim() == nil)
        order.insert(0)
        order.remove(0)
        #expect(order.victim() == nil)
    }

    @Test func `what was used is spared once`() {
        var order = SieveOrder()
        for slot in 0..<3 { order.insert(slot) }
        order.use(0)
        #expect(order.victim() == 1)
        order.remove(1)
        #expect(order.victim() == 2)
        order.remove(2)
        #expect(order.victim() == 0)
    }

    @Test func `a scan of strangers leaves the popular ones alone`() {
        var order = SieveOrder()
        for slot in 0..<5 { order.insert(slot) }
        for stranger in 5..<100 {
            for slot in 0..<4 { order.use(slot) }
            guard let victim = order.victim() else { break }
            #expect(victim >= 4)
            order.remove(victim)
            order.insert(stranger)
        }
    }
}
