import EventLoop
import Glibc

/// A client of the plainest kind: one blocking socket.
final class Visitor {
    private let socket: FileDescriptor
    private var raw: Int32 { socket.raw }

    init(port: UInt16) throws {
        socket = try LoopbackListener.connect(port: port)
        // A test that would wait for ever fails after this.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        _ = unsafe setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    func say(_ text: String) {
        let bytes = Array(text.utf8)
        // The array lives through the call; the kernel reads as many bytes as it has.
        _ = unsafe bytes.withUnsafeBytes { unsafe send(raw, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// The client says no more.
    func finish() {
        _ = shutdown(raw, Int32(SHUT_WR))
    }

    /// What comes until the text has been seen, or the other side closes; nil when neither happens in time.
    func hear(until end: String? = nil) -> String? {
        var heard: [UInt8] = []
        while true {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            // The kernel writes at most `count` bytes into the array.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
            if count < 0 { return nil }
            if count == 0 { return String(decoding: heard, as: UTF8.self) }
            heard += buffer.prefix(count)
            guard let end else { continue }
            let text = String(decoding: heard, as: UTF8.self)
            if text.contains(end) { return text }
        }
    }
}
