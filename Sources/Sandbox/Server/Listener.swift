import EventLoop
import Glibc

/// The listening socket on the loopback address; it does not block.
struct Listener: ~Copyable {
    static let backlog: Int32 = 1024

    let descriptor: FileDescriptor
    let port: UInt16

    /// Port 0 takes a free one.
    init(port: UInt16) throws(SystemError) {
        let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        let raw = socket(AF_INET, Int32(kind), 0)
        guard raw >= 0 else { throw SystemError(call: "socket", number: errno) }
        let descriptor = FileDescriptor(owning: raw)
        Self.set(SOL_SOCKET, SO_REUSEADDR, on: raw)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The address lives on this frame and is passed with its size, in both directions.
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                unsafe bind(raw, generic, length) == 0 && listen(raw, Self.backlog) == 0
                    && getsockname(raw, generic, &length) == 0
            }
        }
        guard isBound else { throw SystemError(call: "bind to port \(port)", number: errno) }
        self.descriptor = descriptor
        self.port = UInt16(bigEndian: address.sin_port)
    }

    /// Small answers leave at once instead of waiting for more.
    static func prepare(_ raw: Int32) {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, on: raw)
    }

    private static func set(_ level: Int32, _ option: Int32, on raw: Int32) {
        var one: Int32 = 1
        // The kernel reads four bytes from this frame. A socket without the option still works.
        _ = unsafe setsockopt(raw, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
