import EventLoop
import TestSupport
import Testing

@testable import Daemon

@Suite struct IdleWatchTests {
    private final class Daemon: Sendable {
        private let state = Locked<(idleSince: Instant?, pauses: [Duration])>((nil, []))

        var idleSince: Instant? {
            get { state.withLock { $0.idleSince } }
            set { state.withLock { $0.idleSince = newValue } }
        }
        /// The idle times after which the daemon ended.
        var ends: [Duration] { state.withLock { $0.pauses } }

        func end(after pause: Duration) { state.withLock { $0.pauses.append(pause) } }
    }

    @Test func `the idle time begins when the last connection ends`() throws {
        try virtually { loop, _ in
            let daemon = Daemon()
            let watch = IdleWatch(on: loop, idleSince: { daemon.idleSince }, end: { daemon.end(after: $0) })
            watch.wait(.seconds(60))
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(100)))
            daemon.idleSince = loop.now
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(59)))
            #expect(daemon.ends == [])
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(2)))
            #expect(daemon.ends == [.seconds(60)])
        }
    }

    @Test func `a new idle time takes effect at once, and nil means never`() throws {
        try virtually { loop, _ in
            let daemon = Daemon()
            daemon.idleSince = loop.now
            let watch = IdleWatch(on: loop, idleSince: { daemon.idleSince }, end: { daemon.end(after: $0) })
            watch.wait(.seconds(60))
            watch.wait(nil)
            try? await loop.sleep(until: loop.now.advanced(by: .seconds(3600)))
            #expect(daemon.ends == [])
            watch.wait(.seconds(60))
            #expect(daemon.ends == [.seconds(60)])
        }
    }
}
