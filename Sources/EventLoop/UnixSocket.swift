import CPlatform
import Glibc

package enum UnixSocket {
    package static let connectMax = Duration.seconds(5)

    package static func listen(at path: String, backlog: Int32) throws(SystemError) -> FileDescriptor {
        let descriptor = try SystemCall.streamSocket(AF_UNIX, SOCK_NONBLOCK.rawValue)
        // The address is a sockaddr and is valid during the call.
        let result = try unsafe withAddress(path) {
            unsafe bind(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
        }
        guard result == 0 else { throw SystemError.last("bind") }
        guard Glibc.listen(descriptor.raw, backlog) == 0 else { throw SystemError.last("listen") }
        return descriptor
    }

    /// Also returns true after an unexpected error, because the caller must not replace a running daemon.
    package static func isServed(_ path: String) throws(SystemError) -> Bool {
        let descriptor = try SystemCall.streamSocket(AF_UNIX, SOCK_NONBLOCK.rawValue)
        // The address is a sockaddr and is valid during the call.
        let result = try unsafe withAddress(path) {
            unsafe Glibc.connect(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
        }
        return result == 0 || ![ECONNREFUSED, ENOENT].contains(platform_errno())
    }

    /// Throws ENOENT or ECONNREFUSED if no process listens, and EAGAIN on timeout.
    package static func connect(
        to path: String,
        within timeout: Duration = connectMax
    ) throws(SystemError) -> FileDescriptor {
        let descriptor = try SystemCall.streamSocket(AF_UNIX)
        // Without this option, connect waits as long as the backlog is full. Zero would mean no timeout.
        let microseconds = max(1, Int(timeout.milliseconds * 1000))
        var limit = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        let limitSize = socklen_t(MemoryLayout<timeval>.size)
        // The kernel reads the local during the call. Its size is passed.
        guard unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_SNDTIMEO, &limit, limitSize) == 0 else {
            throw SystemError.last("setsockopt")
        }
        var result: Int32
        repeat {
            // The address is a sockaddr and is valid during the call.
            result = try unsafe withAddress(path) {
                unsafe Glibc.connect(descriptor.raw, $0.assumingMemoryBound(to: sockaddr.self), $1)
            }
        } while result != 0 && platform_errno() == EINTR
        guard result == 0 else { throw SystemError.last("connect") }
        try SystemCall.prepareInherited(descriptor.raw)
        return descriptor
    }

    /// Uses a socket pair.
    ///
    /// A service may create a socket pair even if its systemd unit forbids Unix sockets.
    package static func makeForDatagrams() throws(SystemError) -> FileDescriptor {
        var pair: [Int32] = [-1, -1]
        // The call writes two numbers into the array.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair)
        guard result == 0 else { throw SystemError.last("socketpair") }
        _ = FileDescriptor(owning: pair[1])
        return FileDescriptor(owning: pair[0])
    }

    /// If `mayBeAbstract` is true, a leading `@` means an abstract name.
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
        // The path fits into the field, which is initially zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: bytes)
            if isAbstract { unsafe field[0] = 0 }
        }
        // The kernel finds the end of an abstract name by the length, and the end of a path by NUL.
        let length =
            isAbstract ? MemoryLayout<sa_family_t>.size + bytes.count : MemoryLayout<sockaddr_un>.size
        // The address has at least `length` bytes and is valid during the call.
        return unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe bytes.baseAddress.map { unsafe body($0, UInt32(length)) } ?? -1
        }
    }
}

extension UnixSocket {
    package static func path(of socket: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // The kernel writes at most `length` bytes into the local, which is a sockaddr.
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        // Only the bytes of the field are read.
        let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return path.isEmpty ? nil : path
    }
}

/// The default paths of the daemon's socket.
///
/// The daemon uses the first path, and clients try all paths in order.
package struct SocketLocation: Equatable, Sendable {
    package static let system = "/run/searchd/searchd.sock"
    /// sockaddr_un has room for 107 bytes.
    ///
    /// The daemon first binds a temporary name with 8 more bytes.
    package static let pathBytesMax = 107 - 8

    package let paths: [String]
    /// The path below the user's state directory.
    ///
    /// Nil for root, if the state directory is not known, or if the path is too long.
    package let privatePath: String?

    /// `runtime` is `XDG_RUNTIME_DIR`, and `stateHome` is `XDG_STATE_HOME` or its default.
    package init(
        userID: UInt32,
        runtime: String?,
        stateHome: String?,
        login: (UInt32) -> String? = SocketLocation.loginDirectory
    ) {
        let isRoot = userID == 0
        let directory = runtime ?? (isRoot ? nil : login(userID))
        let own = directory.map { $0 + ($0.hasSuffix("/") ? "" : "/") + "searchd.sock" }
        let fallback = isRoot ? nil : stateHome.map { $0 + "/searchd/run/searchd.sock" }
        privatePath = fallback.flatMap { $0.utf8.count <= Self.pathBytesMax ? $0 : nil }
        paths = [own, privatePath, Self.system].compactMap(\.self)
    }

    /// Returns `/run/user/UID` if it is a directory that only the user can access.
    package static func loginDirectory(of userID: UInt32) -> String? {
        let path = "/run/user/\(userID)"
        var status = stat()
        // The kernel writes into the local during the call.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == userID,
            status.st_mode & 0o077 == 0
        else { return nil }
        return path
    }
}

/// The process at the other end of a Unix socket.
package struct Peer: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    package init(of descriptor: Int32) throws(SystemError) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        // The call writes into the three locals.
        guard unsafe platform_peer(descriptor, &process, &user, &group) == 0 else {
            throw SystemError.last("getsockopt SO_PEERCRED")
        }
        self.init(processID: process, userID: user, groupID: group)
    }

    package static func groups(of descriptor: Int32) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: groupsMax)
        // The kernel writes at most the length of the array during the call.
        let count = unsafe platform_peer_groups(descriptor, &groups, Int32(groups.count))
        return Array(groups.prefix(max(0, Int(count))))
    }

    private static let groupsMax = 1024
}

/// A file descriptor that is closed once, when this value is destroyed.
package struct FileDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    package init(owning raw: Int32) {
        precondition(raw >= 0, "a descriptor is never negative")
        self.raw = raw
    }

    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit {
        // Do not retry: Linux closes the descriptor even after EINTR, and its number may already be reused.
        _ = close(raw)
    }
}
