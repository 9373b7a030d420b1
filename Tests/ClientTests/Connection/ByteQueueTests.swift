import TestSupport
import Testing

@testable import Client

struct ByteQueueTests {
    @Test func `bytes leave in the order in which they came`() {
        var random = SeededGenerator(seed: testSeed())
        var queue = ByteQueue()
        var model: [UInt8] = []
        for step in 0..<5000 {
            if Bool.random(using: &random) {
                let bytes = (0..<Int.random(in: 0...40, using: &random)).map { UInt8(truncatingIfNeeded: step + $0) }
                queue.append(bytes)
                model += bytes
            } else {
                let front = queue.front(Int.random(in: 0...60, using: &random))
                #expect(Array(front) == Array(model.prefix(front.count)))
                let count = front.isEmpty ? 0 : Int.random(in: 0...front.count, using: &random)
                queue.drop(count)
                model.removeFirst(count)
            }
            #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
        }
    }
}
