import CPlatform
package import EventLoop
import Glibc

/// The address of a Unix socket.
///
/// An abstract name begins with @.
package struct UnixAddress {
    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    package func connect() throws -> FileDescriptor {
        try unsafe socket(SOCK_STREAM, "connect") { unsafe Glibc.connect($0, $1, $2) }
    }

    package func bind(forDatagrams isForDatagrams: Bool = false) throws -> FileDescriptor {
        try unsafe socket(isForDatagrams ? SOCK_DGRAM : SOCK_STREAM, "bind") { unsafe Glibc.bind($0, $1, $2) }
    }

    private func socket(
        _ type: __socket_type,
        _ name: String,
        _ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> FileDescriptor {
        let raw = Glibc.socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard raw >= 0 else { throw TestFailure("socket: errno \(platform_errno())") }
        let descriptor = FileDescriptor(owning: raw)
        // The address is a sockaddr and is valid during the call.
        let result = try unsafe UnixSocket.withAddress(path, mayBeAbstract: true) {
            unsafe call(raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
        }
        guard result == 0 else { throw TestFailure("\(name) \(path): errno \(platform_errno())") }
        return descriptor
    }
}
