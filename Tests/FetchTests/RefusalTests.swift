import Fetch
import HTTPMessage
import Synchronization
import Testing

@testable import EventLoop

/// The kernel's epoll, which refuses to watch anything new while told so.
private final class ReluctantPoller: Poller {
    private let poller: EpollPoller
    let isReluctant = Atomic(false)

    init() throws {
        poller = try EpollPoller()
    }

    func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        guard !isReluctant.load(ordering: .relaxed) else { throw SystemError(call: "epoll_ctl", number: 28) }
        try poller.add(descriptor, interest, token: token)
    }

    func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try poller.change(descriptor, interest, token: token)
    }

    func remove(_ descriptor: Int32) {
        poller.remove(descriptor)
    }

    func wait(_ wait: LoopWait, ready: (UInt64, Readiness) -> Void) {
        poller.wait(wait, ready: ready)
    }

    func wake() {
        poller.wake()
    }
}

struct RefusalTests {
    @Test func `a kernel that refuses to watch fails what runs, and what comes later is served`() async throws {
        let seen = Signals<Void>()
        let server = try RawServer { connection in
            while connection.readHead().hasPrefix("GET /fast") { connection.answer() }
            seen.send(())
            connection.waitForClose()
        }
        let poller = try ReluctantPoller()
        let loop = EventLoop(clock: MonotonicClock(), poller: poller)
        let thread = try loop.startThread(named: "fetch-test")
        var configuration = HTTPClientConfiguration(userAgent: "t")
        configuration.exchangesMax = 2
        let client = HTTPClient(loop: loop, configuration: configuration)

        let running = await client.start(FetchRequest(HTTPRequest(url: server.url("/slow"))))
        await seen.next()
        poller.isReluctant.store(true, ordering: .relaxed)
        let refused = await client.failure(of: server.url("/slow"))
        poller.isReluctant.store(false, ordering: .relaxed)
        #expect(refused?.code == .local)
        #expect(await running.failure()?.code == .local)
        #expect(await client.load == (0, 0))
        #expect(try await client.get(server.url("/fast")).text == "ok")

        await client.shutdown()
        loop.stop()
        thread.join()
    }
}
