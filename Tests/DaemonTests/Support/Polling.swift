import CPlatform
import EventLoop
import Glibc

/// Waiting for a descriptor, with a limit.
enum Polling {
    /// Waits for events and returns those that came; too long a wait is a failure that says for what.
    static func wait(
        _ descriptor: Int32,
        for events: Int16,
        _ what: String,
        patience: Duration = TestClient.patience
    ) throws -> Int16 {
        let deadline = MonotonicClock().now().advanced(by: patience)
        while true {
            let left = MonotonicClock().now().duration(to: deadline)
            guard left > .zero else { throw TestFailure("nothing came within \(patience) where \(what) was awaited") }
            var one = pollfd(fd: descriptor, events: events, revents: 0)
            // One structure on this stack frame, as the count says.
            let count = unsafe poll(&one, 1, Int32(left.milliseconds) + 1)
            if count > 0 { return one.revents }
            if count < 0, platform_errno() != EINTR { throw TestFailure("poll: errno \(platform_errno())") }
        }
    }

    /// The next datagram.
    static func receive(_ descriptor: Int32, _ what: String) throws -> String {
        _ = try wait(descriptor, for: Int16(POLLIN), what)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Everything that comes out of a pipe until its other end is closed.
    static func readToEnd(_ descriptor: Int32, _ what: String) throws -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            _ = try wait(descriptor, for: Int16(POLLIN), what)
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk[..<count]
        }
    }
}
