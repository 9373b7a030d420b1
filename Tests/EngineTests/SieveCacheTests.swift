import SearchTestSupport
import TestSupport
import Testing

@testable import Engine

struct SieveCacheTests {
    @Test func `random operations have the same results as in a simple list`() {
        var random = SeededGenerator(seed: testSeed())
        for _ in 0..<20 {
            var cache = SieveCache<Int, Int>()
            var model = SlowSieve<Int>()
            for _ in 0..<400 {
                let key = Int.random(in: 0..<12, using: &random)
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<3:
                    cache.insert(key * 2, under: key, cost: key + 1)
                    model.remove(key)
                    model.insert(key)
                case 3:
                    #expect(cache.remove(key) == (model.elements.contains { $0.element == key } ? key * 2 : nil))
                    model.remove(key)
                case 4..<7:
                    #expect(cache.value(key) == (model.elements.contains { $0.element == key } ? key * 2 : nil))
                    model.use(key)
                default:
                    let victim = model.victim()
                    #expect(cache.evict() == victim.map { $0 * 2 })
                    victim.map { model.remove($0) }
                }
                #expect(cache.count == model.elements.count)
                #expect(cache.bytes == model.elements.reduce(0) { $0 + $1.element + 1 })
            }
        }
    }

    @Test func `an entry that was read, or for which the closure returns true, survives one eviction`() {
        var cache = SieveCache<Int, Int>()
        #expect(cache.evict() == nil)
        for key in 0..<4 { cache.insert(key, under: key, cost: 1) }
        #expect(cache.value(0) == 0 && cache.peek(1) == 1)
        var noted: Set<Int> = [1]
        #expect(cache.evict { noted.remove($0) != nil } == 2)
        #expect(cache.evict { noted.remove($0) != nil } == 3)
        #expect(cache.evict() == 0)
        #expect(cache.evict() == 1 && cache.count == 0 && cache.evictions == 4)
    }

    @Test func `many new entries do not evict used entries`() {
        var cache = SieveCache<Int, Int>()
        for key in 0..<5 { cache.insert(key, under: key, cost: 1) }
        for stranger in 5..<100 {
            for key in 0..<4 { _ = cache.value(key) }
            #expect(cache.evict().map { $0 >= 4 } == true)
            cache.insert(stranger, under: stranger, cost: 1)
        }
    }
}
