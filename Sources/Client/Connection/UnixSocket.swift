import CPlatform
package import EventLoop
import Glibc

/// Connecting to a Unix socket.
package enum UnixSocket {
    /// How long a daemon that is there may leave a connection in its queue.
    package static let connectMax = Duration.seconds(5)

    /// A connection that does not block.
    ///
    /// - Parameters:
    ///   - path: Where the daemon listens.
    ///   - patience: How long it may leave us in its queue.
    /// - Returns: The connection.
    /// - Throws: ENOENT and ECONNREFUSED when nobody listens, EAGAIN when the listener's queue stays full.
    package static func connect(
        to path: String,
        within patience: Duration = connectMax
    ) throws(SystemError) -> FileDescriptor {
        let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw SystemError(call: "socket", number: platform_errno()) }
        let descriptor = FileDescriptor(owning: raw)
        // Bounds connect: a listener that accepts nobody would hold us up without end.
        // Nothing at all would mean without a limit.
        let microseconds = max(1, Int(patience.milliseconds * 1000))
        var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        let limitSize = socklen_t(MemoryLayout<timeval>.size)
        // The kernel reads the local, of the size given, during the call.
        guard unsafe setsockopt(raw, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize) == 0 else {
            throw SystemError(call: "setsockopt", number: platform_errno())
        }
        var address = try address(of: path)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var result: Int32
        repeat {
            // sockaddr_un may be read as the sockaddr that connect declares; the length is its own.
            result = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(raw, $0, length)
                }
            }
        } while result != 0 && platform_errno() == EINTR
        guard result == 0 else { throw SystemError(call: "connect", number: platform_errno()) }
        try SystemCall.prepareInherited(raw)
        return descriptor
    }

    static func address(of path: String) throws(SystemError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte stays NUL.
        let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            guard bytes.count < field.count else { return false }
            unsafe field.copyBytes(from: bytes)
            return true
        }
        guard fits, !bytes.isEmpty, !bytes.contains(0) else { throw SystemError(call: "connect", number: EINVAL) }
        return address
    }
}
