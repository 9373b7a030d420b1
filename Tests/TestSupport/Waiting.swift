import CPlatform
import EventLoop
import Glibc

package struct TestFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}

package enum Waiting {
    /// Only failing tests wait this long.
    package static let patience = Duration.seconds(120)

    package static func wait(
        _ descriptor: Int32,
        for events: Int16,
        _ what: String,
        patience: Duration = patience
    ) throws -> Int16 {
        let deadline = MonotonicClock().now().advanced(by: patience)
        while true {
            let left = MonotonicClock().now().duration(to: deadline)
            guard left > .zero else { throw TestFailure("timed out waiting for \(what) (\(patience))") }
            var one = pollfd(fd: descriptor, events: events, revents: 0)
            // The structure is a local variable that is valid during the call.
            let count = unsafe poll(&one, 1, Int32(left.milliseconds) + 1)
            if count > 0 { return one.revents }
            if count < 0, platform_errno() != EINTR { throw TestFailure("poll: errno \(platform_errno())") }
        }
    }

    package static func receive(_ descriptor: Int32, _ what: String) throws -> String {
        _ = try wait(descriptor, for: Int16(POLLIN), what)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    package static func readToEnd(_ descriptor: Int32, _ what: String) throws -> String {
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

package func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    let deadline = MonotonicClock().now().advanced(by: Waiting.patience)
    while try await !condition() {
        guard MonotonicClock().now() < deadline else { throw TestFailure("timed out waiting for \(what)") }
        // Sleeps for 2 ms.
        poll(nil, 0, 2)
    }
}
