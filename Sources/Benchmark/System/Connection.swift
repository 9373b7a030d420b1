import CPlatform
import Glibc

/// A connected stream socket; it closes with its last owner.
final class Connection {
    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Connects to a Unix socket; fails at once when nobody listens.
    static func unix(_ path: String) throws(BenchmarkError) -> Connection {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < capacity else {
            throw BenchmarkError(.system, "the socket path \(path) is longer than \(capacity - 1) bytes")
        }
        // The path was measured: it fits, and the zero after it is there from the start.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let connection = try open(AF_UNIX)
        _ = try SystemCall.checked("connecting to \(path)") {
            // connect reads the structure for as long as it lasts, and its length is given.
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(connection.descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        return connection
    }

    /// Connects to a port of this machine.
    static func loopback(port: UInt16) throws(BenchmarkError) -> Connection {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connection = try open(AF_INET)
        _ = try SystemCall.checked("connecting to port \(port)") {
            // connect reads the structure for as long as it lasts, and its length is given.
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe connect(connection.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        return connection
    }

    /// From now on reads and writes return at once.
    func makeNonblocking() throws(BenchmarkError) {
        _ = try SystemCall.checked("making a socket nonblocking") { fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    }

    private static func open(_ family: Int32) throws(BenchmarkError) -> Connection {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        return Connection(try SystemCall.checked("opening a socket") { socket(family, kind, 0) })
    }
}
