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

extension UnixSocket {
    /// The path that a socket is bound to; nil when it has none, or a name outside the file system.
    package static func path(of socket: Int32) -> String? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // The kernel fills at most `length` bytes of the local, which outlives the call and is a sockaddr.
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket, $0, &length)
            }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        // The field is read within the local that holds it; the kernel ends a path with zero, or the field does.
        let path = unsafe withUnsafeBytes(of: &address.sun_path) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return path.isEmpty ? nil : path
    }
}

/// Where a daemon listens when nothing names a path: the same for the daemon, which takes the first, and for its
/// clients, which try all of them in order.
package struct SocketLocation: Equatable, Sendable {
    package static let system = "/run/searchd/searchd.sock"
    /// What fits into sockaddr_un with its NUL, and with the suffix under which a daemon binds the socket before it has
    /// its name: a dot and the largest process number.
    package static let pathBytesMax = 107 - 8

    /// The paths, the user's own before the system's.
    package let paths: [String]
    /// The one of them that lies in a directory which must be the user's alone, and which the daemon makes.
    package let privatePath: String?

    /// - Parameters:
    ///   - userID: The user; root has no daemon of its own but the system's, unless a runtime directory is named.
    ///   - runtime: `XDG_RUNTIME_DIR`.
    ///   - stateHome: The directory that holds the user's state.
    ///   - login: Finds the directory of a user's sessions, which cron, su and containers do not name.
    package init(
        userID: UInt32,
        runtime: String?,
        stateHome: String?,
        login: (UInt32) -> String? = SocketLocation.loginDirectory
    ) {
        let isRoot = userID == 0
        let directory = runtime ?? (isRoot ? nil : login(userID))
        let own = directory.map { $0 + ($0.hasSuffix("/") ? "" : "/") + "searchd.sock" }
        let kept = isRoot ? nil : stateHome.map { $0 + "/searchd/run/searchd.sock" }
        privatePath = kept.flatMap { $0.utf8.count <= Self.pathBytesMax ? $0 : nil }
        paths = [own, privatePath, Self.system].compactMap(\.self)
    }

    /// `/run/user/UID`; nil unless it is the user's alone.
    package static func loginDirectory(of userID: UInt32) -> String? {
        let path = "/run/user/\(userID)"
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == userID,
            status.st_mode & 0o077 == 0
        else { return nil }
        return path
    }
}

/// Who is on the other side of a Unix socket, as the kernel saw it when the connection was made.
package struct Peer: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// Asks the kernel by SO_PEERCRED.
    package init(of descriptor: Int32) throws(SystemError) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        // The three locals outlive the call that fills them.
        guard unsafe platform_peer(descriptor, &process, &user, &group) == 0 else {
            throw SystemError.last("getsockopt SO_PEERCRED")
        }
        self.init(processID: process, userID: user, groupID: group)
    }

    /// The further groups of the process on the other side, as many as the kernel tells; none when it tells nothing.
    package static func groups(of descriptor: Int32) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: groupsMax)
        // The kernel fills at most the array's length, during the call.
        let count = unsafe platform_peer_groups(descriptor, &groups, Int32(groups.count))
        return Array(groups.prefix(max(0, Int(count))))
    }

    /// More than any user has; a user with more counts as having none.
    private static let groupsMax = 1024
}

/// The owner of one descriptor: it is closed exactly once, when the owner ends.
package struct FileDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes over a descriptor that nothing else closes.
    package init(owning raw: Int32) {
        precondition(raw >= 0, "a descriptor is never negative")
        self.raw = raw
    }

    /// Gives the descriptor away, open.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit {
        // Never retried: after EINTR the descriptor is gone on Linux, and its number may be in use again.
        _ = close(raw)
    }
}
