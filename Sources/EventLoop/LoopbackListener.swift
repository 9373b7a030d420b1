import CPlatform
import Glibc

/// A non-blocking TCP socket that listens on the loopback address.
package struct LoopbackListener: ~Copyable {
    private static let backlog: Int32 = 1024

    package let descriptor: FileDescriptor
    package let port: UInt16

    /// Listens on a free port if `port` is 0.
    package init(port: UInt16 = 0) throws(SystemError) {
        let descriptor = try SystemCall.streamSocket(AF_INET, SOCK_NONBLOCK.rawValue)
        let raw = descriptor.raw
        Self.set(SOL_SOCKET, SO_REUSEADDR, on: raw)
        var found = port
        let isListening = unsafe Self.withAddress(&found) { address, length in
            var length = length
            return unsafe bind(raw, address, length) == 0 && Glibc.listen(raw, Self.backlog) == 0
                && getsockname(raw, address, &length) == 0
        }
        guard isListening else { throw SystemError.last("bind to port \(port)") }
        self.descriptor = descriptor
        self.port = found
    }

    package static func connect(port: UInt16) throws(SystemError) -> FileDescriptor {
        let descriptor = try SystemCall.streamSocket(AF_INET)
        let raw = descriptor.raw
        var port = port
        let isConnected = unsafe withAddress(&port) { unsafe Glibc.connect(raw, $0, $1) == 0 }
        guard isConnected else { throw SystemError.last("connect to port \(port)") }
        return descriptor
    }

    package static func sendAtOnce(_ raw: Int32) {
        set(Int32(IPPROTO_TCP), TCP_NODELAY, on: raw)
    }

    private static func withAddress(
        _ port: inout UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Bool
    ) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        defer { port = UInt16(bigEndian: address.sin_port) }
        // The address is a local that is valid during the call, and the second argument is its size.
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func set(_ level: Int32, _ option: Int32, on raw: Int32) {
        var one: Int32 = 1
        // The kernel reads the four bytes of the local. A failure is harmless.
        _ = unsafe setsockopt(raw, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
    }
}
