import Glibc
import TestSupport
import Testing

@testable import EventLoop

/// Records events, and checks that it runs on its loop.
private actor Recorder: LoopActor {
    nonisolated let loop: EventLoop
    private(set) var events: [String] = []

    init(on loop: EventLoop) {
        self.loop = loop
    }

    func record(_ event: String) {
        #expect(loop.isCurrent)
        events.append(event)
    }
}

struct EventLoopTests {
    @Test func `an actor on a loop runs on the thread of the loop`() async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "test")
        let recorder = Recorder(on: loop)
        await recorder.record("from outside")
        await Task(executorPreference: loop) { await recorder.record("from inside") }.value
        #expect(await recorder.events == ["from outside", "from inside"])
        loop.stop()
        thread.join()
    }

    @Test func `tasks wake in the order of their deadlines, in virtual time`() throws {
        try virtually { loop, clock in
            let recorder = Recorder(on: loop)
            await withTaskGroup { group in
                for seconds in [3600, 60, 1] {
                    group.addTask {
                        try? await loop.sleep(until: loop.now.advanced(by: .seconds(seconds)))
                        await recorder.record("\(seconds)")
                    }
                }
            }
            #expect(await recorder.events == ["1", "60", "3600"])
            #expect(clock.now() == Instant(nanoseconds: 3_600_000_000_000))
        }
    }

    @Test func `a cancelled sleep ends at once and cancels its timer`() throws {
        try virtually { loop, clock in
            let sleeper = Task(executorPreference: loop) { () -> Bool in
                do {
                    try await loop.sleep(until: loop.now.advanced(by: .seconds(10)))
                    return false
                } catch {
                    return true
                }
            }
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(1)))
            sleeper.cancel()
            #expect(await sleeper.value)
            #expect(clock.now() == Instant(nanoseconds: 1_000_000_000))
        }
    }

    @Test func `a sleep in a cancelled task never sets a timer`() throws {
        try virtually { loop, clock in
            let sleeper = Task(executorPreference: loop) { () -> Bool in
                await Task.yield()
                return (try? await loop.sleep(until: loop.now.advanced(by: .seconds(10)))) == nil
            }
            sleeper.cancel()
            #expect(await sleeper.value)
            #expect(clock.now() == Instant(nanoseconds: 0))
        }
    }

    @Test func `all actions from other threads run, in the order in which each thread added them`() async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "test")
        let seen = Locked<[Int: [Int]]>([:])
        await withTaskGroup { group in
            for sender in 0..<8 {
                group.addTask { @concurrent in
                    for number in 0..<500 {
                        loop.perform { seen.withLock { $0[sender, default: []].append(number) } }
                    }
                }
            }
        }
        await withCheckedContinuation { continuation in loop.perform { continuation.resume() } }
        for sender in 0..<8 { #expect(seen.withLock { $0[sender] } == Array(0..<500)) }
        loop.stop()
        thread.join()
    }

    @Test func `a watched socket reports readiness until it is unwatched`() async throws {
        let loop = try EventLoop()
        let thread = try loop.startThread(named: "test")
        var ends: [Int32] = [0, 0]
        #expect(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let near = FileDescriptor(owning: ends[0])
        let far = FileDescriptor(owning: ends[1])
        let (descriptor, other) = (near.raw, far.raw)
        let events = AsyncStream<Readiness>.makeStream()
        let watch = Locked<Watch?>(nil)
        loop.perform {
            let made = try? loop.watch(descriptor, .readable) { events.continuation.yield($0) }
            watch.withLock { $0 = made }
        }
        _ = unsafe write(other, "x", 1)
        var iterator = events.stream.makeAsyncIterator()
        #expect(await iterator.next() == .readable)
        await withCheckedContinuation { continuation in
            loop.perform {
                if let watch = watch.withLock({ $0 }) { loop.unwatch(watch) }
                continuation.resume()
            }
        }
        #expect(
            unsafe try withUnsafeTemporaryAllocation(byteCount: 8, alignment: 1) { buffer in
                unsafe try SystemCall.read(descriptor, into: buffer)
            } == .bytes(1)
        )
        loop.stop()
        thread.join()
    }

    @Test func `an idle loop waits once and is not woken`() throws {
        final class CountingPoller: Poller {
            let waits = Locked<[LoopWait]>([])
            let loop = Locked<EventLoop?>(nil)
            func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) {}
            func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) {}
            func remove(_ descriptor: Int32) {}
            func wake() {}
            func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void) {
                waits.withLock { $0.append(wait) }
                if wait == .forever { loop.withLock { $0 }?.stop() }
            }
        }
        let poller = CountingPoller()
        let loop = EventLoop(clock: ManualClock(), poller: poller)
        poller.loop.withLock { $0 = loop }
        loop.perform {}
        loop.run()
        poller.loop.withLock { $0 = nil }
        #expect(poller.waits.withLock { $0 } == [.none, .forever])
    }

    @Test func `a descriptor is closed when its owner is destroyed, not before`() {
        var ends: [Int32] = [0, 0]
        #expect(unsafe pipe(&ends) == 0)
        let reading = FileDescriptor(owning: ends[0])
        do {
            let writing = FileDescriptor(owning: ends[1])
            #expect(fcntl(writing.raw, F_GETFD) >= 0)
        }
        var byte: UInt8 = 0
        // A read returns end of file because the write end is closed.
        #expect(unsafe read(reading.raw, &byte, 1) == 0)
    }
}
