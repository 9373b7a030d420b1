import EventLoop
import Glibc

/// A TCP client that sends and receives plain text.
package final class RawClient {
    private let socket: FileDescriptor
    private var raw: Int32 { socket.raw }

    package init(port: UInt16) throws {
        socket = try LoopbackListener.connect(port: port)
        // Only failing tests reach this timeout. The kernel copies the local variable during the call.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        _ = unsafe setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    package func send(_ text: String) {
        let bytes = Array(text.utf8)
        // The array is valid during the call. The kernel reads at most its length.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    package func finish() {
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    package func receive(until end: String? = nil) -> String? {
        var received: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // The kernel writes at most `count` bytes into the array.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
            if count < 0 { return nil }
            received += buffer.prefix(count)
            let text = String(decoding: received, as: UTF8.self)
            if count == 0 || end.map(text.contains) == true { return text }
        }
    }
}
