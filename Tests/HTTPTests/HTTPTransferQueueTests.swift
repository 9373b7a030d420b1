import TestSupport
import Testing

@testable import HTTP

struct HTTPTransferQueueTests {
    private let a = FetchURL.Origin(isSecure: true, host: "a", port: 443)
    private let b = FetchURL.Origin(isSecure: true, host: "b", port: 443)
    private let c = FetchURL.Origin(isSecure: true, host: "c", port: 443)

    private func queue(running: Int, perOrigin: Int, waiters: Int) -> HTTPTransferQueue {
        HTTPTransferQueue(limits: .init(runningMax: running, runningPerOriginMax: perOrigin, waitersMax: waiters))
    }

    @Test func `transfers start up to both limits, then wait, then are refused`() {
        var queue = queue(running: 3, perOrigin: 2, waiters: 2)
        #expect(queue.arrived(1, for: a) == .start)
        #expect(queue.arrived(2, for: a) == .start)
        #expect(queue.arrived(3, for: a) == .wait)
        #expect(queue.arrived(4, for: b) == .start)
        #expect(queue.arrived(5, for: b) == .wait)
        #expect(queue.arrived(6, for: c) == .refuse)
        #expect(queue.running == 3)
        #expect(queue.waiting == 2)
    }

    @Test func `transfers of an origin start in order of arrival`() {
        var queue = queue(running: 1, perOrigin: 1, waiters: 9)
        for id in 1...4 { _ = queue.arrived(UInt64(id), for: a) }
        #expect(queue.finished(for: a) == 2)
        #expect(queue.finished(for: a) == 3)
        #expect(queue.finished(for: a) == 4)
        #expect(queue.finished(for: a) == nil)
        #expect(queue.running == 0)
    }

    @Test func `origins take turns, however many transfers wait`() {
        var queue = queue(running: 1, perOrigin: 1, waiters: 9)
        #expect(queue.arrived(1, for: a) == .start)
        for id in 2...4 { _ = queue.arrived(UInt64(id), for: a) }
        _ = queue.arrived(5, for: b)
        _ = queue.arrived(6, for: c)
        #expect(queue.finished(for: a) == 5)
        #expect(queue.finished(for: b) == 6)
        #expect(queue.finished(for: c) == 2)
        #expect(queue.finished(for: a) == 3)
    }

    @Test func `an origin at its limit is skipped`() {
        var queue = queue(running: 2, perOrigin: 1, waiters: 9)
        #expect(queue.arrived(1, for: a) == .start)
        #expect(queue.arrived(2, for: a) == .wait)
        #expect(queue.arrived(3, for: b) == .start)
        #expect(queue.arrived(4, for: b) == .wait)
        #expect(queue.finished(for: b) == 4)
        #expect(queue.finished(for: b) == nil)
        #expect(queue.finished(for: a) == 2)
    }

    @Test func `a removed transfer leaves only the queue`() {
        var queue = queue(running: 1, perOrigin: 1, waiters: 1)
        #expect(queue.arrived(1, for: a) == .start)
        #expect(queue.left(1, for: a) == false)
        #expect(queue.arrived(2, for: a) == .wait)
        #expect(queue.arrived(3, for: b) == .refuse)
        #expect(queue.left(2, for: a) == true)
        #expect(queue.left(2, for: a) == false)
        #expect(queue.arrived(3, for: b) == .wait)
        #expect(queue.finished(for: a) == 3)
    }

    @Test func `with random events, all transfers run and no permit is unused`() {
        var generator = SeededGenerator(seed: testSeed())
        var queue = queue(running: 4, perOrigin: 2, waiters: 6)
        let origins = [a, b, c]
        var running: [(id: UInt64, origin: FetchURL.Origin)] = []
        var waiting: [(id: UInt64, origin: FetchURL.Origin)] = []
        for id in 0..<UInt64(20_000) {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1:
                let origin = origins[Int.random(in: 0..<3, using: &generator)]
                switch queue.arrived(id, for: origin) {
                case .start: running.append((id, origin))
                case .wait: waiting.append((id, origin))
                case .refuse: #expect(waiting.count == 6)
                }
            case 2:
                guard let index = running.indices.randomElement(using: &generator) else { continue }
                let origin = running.remove(at: index).origin
                guard let next = queue.finished(for: origin) else { continue }
                guard let index = waiting.firstIndex(where: { $0.id == next }) else {
                    Issue.record("\(next) starts without having waited")
                    return
                }
                // None overtakes another of its origin.
                #expect(waiting[..<index].allSatisfy { $0.origin != waiting[index].origin })
                running.append(waiting.remove(at: index))
            default:
                guard let index = waiting.indices.randomElement(using: &generator) else { continue }
                let leaver = waiting.remove(at: index)
                #expect(queue.left(leaver.id, for: leaver.origin) == true)
            }
            #expect(queue.running == running.count)
            #expect(queue.waiting == waiting.count)
        }
    }
}
