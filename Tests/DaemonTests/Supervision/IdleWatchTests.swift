import EventLoop
import TestSupport
import Testing

@testable import Daemon

@Suite struct IdleWatchTests {
    /// What the watch is told, and what it has done.
    private final class Daemon: Sendable {
        private let state = Locked<(idleSince: Instant?, ends: Int)>((nil, 0))

        var idleSince: Instant? {
            get { state.withLock { $0.idleSince } }
            set { state.withLock { $0.idleSince = newValue } }
        }
        var ends: Int { state.withLock { $0.ends } }

        func end() { state.withLock { $0.ends += 1 } }
    }

    @Test func `the pause counts from the moment the last client left`() throws {
        try virtually { loop, _ in
            let daemon = Daemon()
            let watch = IdleWatch(on: loop, idleSince: { daemon.idleSince }, end: { daemon.end() })
            watch.wait(.seconds(60))
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(100)))
            daemon.idleSince = loop.now
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(59)))
            #expect(daemon.ends == 0)
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(2)))
            #expect(daemon.ends == 1)
        }
    }

    @Test func `another pause holds at once, and none is for ever`() throws {
        try virtually { loop, _ in
            let daemon = Daemon()
            daemon.idleSince = loop.now
            let watch = IdleWatch(on: loop, idleSince: { daemon.idleSince }, end: { daemon.end() })
            watch.wait(.seconds(60))
            watch.wait(nil)
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(3600)))
            #expect(daemon.ends == 0)
            watch.wait(.seconds(60))
            #expect(daemon.ends == 1)
        }
    }
}
