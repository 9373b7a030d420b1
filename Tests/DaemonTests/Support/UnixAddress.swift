import CPlatform
import EventLoop
import Glibc

/// The address of a Unix socket, for the calls that the daemon itself has no need of.
///
/// One that begins with @ is abstract: it stands in no directory.
struct UnixAddress {
    private let path: String

    init(_ path: String) {
        precondition(path.utf8.count < 108, "the path fits into an address")
        self.path = path
    }

    /// A stream connected to whoever listens there.
    func connect() throws -> FileDescriptor {
        try unsafe socket(SOCK_STREAM, "connect") { unsafe Glibc.connect($0, $1, $2) }
    }

    /// A socket bound there.
    func bind(_ type: __socket_type) throws -> FileDescriptor {
        try unsafe socket(type, "bind") { unsafe Glibc.bind($0, $1, $2) }
    }

    private func socket(
        _ type: __socket_type,
        _ name: String,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> FileDescriptor {
        let raw = Glibc.socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw TestFailure("socket: errno \(platform_errno())") }
        let descriptor = FileDescriptor(owning: raw)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The path and its NUL fit into the zeroed field; the address lives through the call.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { unsafe field[0] = 0 }
        }
        let length = path.hasPrefix("@") ? 2 + path.utf8.count : MemoryLayout<sockaddr_un>.size
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call(raw, $0, socklen_t(length))
            }
        }
        guard result == 0 else { throw TestFailure("\(name) \(path): errno \(platform_errno())") }
        return descriptor
    }
}
