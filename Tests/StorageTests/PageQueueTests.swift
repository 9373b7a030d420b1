import Testing

@testable import Storage

@Suite struct PageQueueTests {
    private func pending(_ number: Int, bytes: Int = 10) -> PageQueue.Pending {
        PageQueue.Pending(page: UnwrittenPage(archivedPage(number, source: "a.\(number % 2)")) { [] }, bytes: bytes)
    }

    @Test func `only the first asks for a batch`() {
        var queue = PageQueue()
        let isFirst = (0..<2).map { queue.append(pending($0)) }
        #expect(isFirst == [true, false])
        let taken = [queue.takeAll().count, queue.takeAll().count]
        #expect(taken == [2, 0])
        let isFirstAgain = queue.append(pending(2))
        #expect(isFirstAgain)
    }

    @Test func `it takes so many pages and not one more`() {
        var queue = PageQueue()
        for number in 0..<PageQueue.countMax { _ = queue.append(pending(number)) }
        #expect(queue.dropped == 0)
        _ = queue.append(pending(0))
        #expect(queue.dropped == 1)
        #expect(queue.pages.count == PageQueue.countMax)
    }

    @Test func `it takes so many bytes and not one more`() {
        var queue = PageQueue()
        _ = queue.append(pending(0, bytes: PageQueue.bytesMax - 1))
        _ = queue.append(pending(1, bytes: 1))
        #expect(queue.dropped == 0)
        _ = queue.append(pending(2, bytes: 1))
        #expect(queue.dropped == 1)
        queue.removeAll { $0.source == "a.0" }
        #expect(queue.pages.map(\.page.page.source) == ["a.1"])
        _ = queue.append(pending(2, bytes: PageQueue.bytesMax - 1))
        #expect(queue.dropped == 1)
    }
}
