import CPlatform
import Glibc

/// Unix sockets by path.
package enum UnixSocket {
    /// How long a connection may stay in a listener's queue.
    package static let connectMax = Duration.seconds(5)

    /// A socket bound to a path that does not exist yet, listening.
    package static func listen(at path: String, backlog: Int32) throws(SystemError) -> FileDescriptor {
        let descriptor = try SystemCall.streamSocket(AF_UNIX, SOCK_NONBLOCK.rawValue)
        // The address is a sockaddr and lives through the call.
        let result = try unsafe withAddress(path) {
            unsafe bind(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
        }
        guard result == 0 else { throw SystemError.last("bind") }
        guard Glibc.listen(descriptor.raw, backlog) == 0 else { throw SystemError.last("listen") }
        return descriptor
    }

    /// Whether a process listens at a path; true also when that can't be found out, so that no daemon is displaced.
    package static func isServed(_ path: String) throws(SystemError) -> Bool {
        let descriptor = try SystemCall.streamSocket(AF_UNIX, SOCK_NONBLOCK.rawValue)
        // The address is a sockaddr and lives through the call.
        let result = try unsafe withAddress(path) {
            unsafe Glibc.connect(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
        }
        return result == 0 || ![ECONNREFUSED, ENOENT].contains(platform_errno())
    }

    /// A stream connection that does not block.
    ///
    /// - Parameters:
    ///   - path: The listener's path.
    ///   - patience: How long the connection may stay in the listener's queue.
    /// - Returns: The connection.
    /// - Throws: ENOENT and ECONNREFUSED when no process listens, EAGAIN when the listener's queue stays full.
    package static func connect(
        to path: String,
        within patience: Duration = connectMax
    ) throws(SystemError) -> FileDescriptor {
        let descriptor = try SystemCall.streamSocket(AF_UNIX)
        // Limits connect, which else waits as long as the listener's queue is full. Zero would mean no limit.
        let microseconds = max(1, Int(patience.milliseconds * 1000))
        var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        let limitSize = socklen_t(MemoryLayout<timeval>.size)
        // The kernel reads the local, of the size given, during the call.
        guard unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize) == 0 else {
            throw SystemError.last("setsockopt")
        }
        var result: Int32
        repeat {
            // The address is a sockaddr and lives through the call.
            result = try unsafe withAddress(path) {
                unsafe Glibc.connect(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
            }
        } while result != 0 && platform_errno() == EINTR
        guard result == 0 else { throw SystemError.last("connect") }
        try SystemCall.prepareInherited(descriptor.raw)
        return descriptor
    }

    /// A socket for datagrams, which are sent and not received.
    ///
    /// One of a pair, which a service may make even where its unit allows it no local sockets.
    package static func makeForDatagrams() throws(SystemError) -> FileDescriptor {
        var pair: [Int32] = [-1, -1]
        // The call writes two numbers.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        guard result == 0 else { throw SystemError.last("socketpair") }
        _ = FileDescriptor(owning: pair[1])
        return FileDescriptor(owning: pair[0])
    }

    /// Calls with the address of a path, which is valid during the call only.
    ///
    /// - Parameters:
    ///   - path: At most 107 bytes.
    ///   - mayBeAbstract: A path that begins with @ is a name outside the file system.
    ///   - body: A system call; it gets a `sockaddr` and its length.
    /// - Returns: The result of the call.
    /// - Throws: ENAMETOOLONG for a longer path, EINVAL for one that is empty or has a NUL.
    package static func withAddress(
        _ path: String,
        mayBeAbstract: Bool = false,
        _ body: (UnsafeRawPointer, UInt32) -> Int32
    ) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let isAbstract = mayBeAbstract && bytes.first == UInt8(ascii: "@")
        let isTooLong = bytes.count >= MemoryLayout.size(ofValue: address.sun_path)
        guard !isTooLong, !bytes.isEmpty, !bytes.contains(0) else {
            throw SystemError(call: "the address of a socket", number: isTooLong ? ENAMETOOLONG : EINVAL)
        }
        // The path fits into the field, whose bytes are zero to begin with.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: bytes)
            if isAbstract { unsafe field[0] = 0 }
        }
        // An abstract name ends with the length, a path with NUL.
        let length =
            isAbstract ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size
        // The address lives through the call, and the length says how much of it there is.
        return unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.baseAddress.map { unsafe body($0, UInt32(length)) } ?? -1
        }
    }
}
