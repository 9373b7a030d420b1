import CPlatform
import EventLoop
import Glibc

/// The address of a Unix socket, for the calls that the daemon itself has no need of.
///
/// One that begins with @ is abstract: a name outside the file system.
struct UnixAddress {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// A stream connected to the socket, which blocks.
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
        let descriptor = try UnixSocket.make(type)
        let result = try unsafe UnixSocket.withAddress(path, mayBeAbstract: true) {
            unsafe call(descriptor.raw, $0, $1)
        }
        guard result == 0 else { throw TestFailure("\(name) \(path): errno \(platform_errno())") }
        return descriptor
    }
}
