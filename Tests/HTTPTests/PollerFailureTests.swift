import Synchronization
import TestSupport
import Testing

@testable import EventLoop
@testable import HTTP

/// A poller whose next calls of `add` fail; `refusals` is the number of these calls.
private final class RefusingPoller: Poller {
    private let poller: EpollPoller
    let refusals = Atomic(0)

    init() throws {
        poller = try EpollPoller()
    }

    func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        guard refusals.load(ordering: .relaxed) == 0 else {
            refusals.wrappingSubtract(1, ordering: .relaxed)
            throw SystemError(call: "epoll_ctl", number: 28)
        }
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

struct PollerFailureTests {
    @Test func `if the kernel refuses a watch, running exchanges fail and later exchanges succeed`() async throws {
        let seen = Signals<Void>()
        let server = try RawServer { connection in
            while connection.readHead().hasPrefix("GET /fast") { connection.answer() }
            seen.send(())
            connection.waitForClose()
        }
        let poller = try RefusingPoller()
        let loop = EventLoop(clock: MonotonicClock(), poller: poller)
        let thread = try loop.startThread(named: "fetch-test")
        var configuration = HTTPClientConfiguration(userAgent: "t")
        configuration.exchangesMax = 2
        let client = HTTPClient(loop: loop, configuration: configuration)

        // The timeouts are long, because this test may be slow on a busy machine.
        let patient = FetchTimeouts(connect: .seconds(600), firstByte: .seconds(600), whole: .seconds(600))
        var slow = FetchRequest(HTTPRequest(url: server.url("/slow")))
        slow.timeouts = patient
        let running = await client.start(slow)
        await seen.next()
        poller.refusals.store(1, ordering: .relaxed)
        let refused = await client.failure(of: server.url("/slow"))
        #expect(refused?.code == .local)
        let ended = await running.failure()
        #expect(ended?.code == .local, "\(String(describing: ended))")
        #expect(await client.running == 0)
        #expect(try await client.get(server.url("/fast")).text == "ok")

        await client.shutdown()
        loop.stop()
        thread.join()
    }
}
