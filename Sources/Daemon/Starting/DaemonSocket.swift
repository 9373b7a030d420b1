import CPlatform
import EventLoop
import Glibc

/// A listening socket of the daemon.
///
/// The socket's path is locked while this object exists.
final class DaemonSocket: Sendable {
    /// All users may connect, because the daemon checks each peer.
    static let mode: mode_t = 0o666
    static let pathBytesMax = SocketLocation.pathBytesMax
    private static let backlog: Int32 = 4096

    let path: String
    /// The caller must close the descriptor.
    let listener: Int32
    private let lock: FileDescriptor
    private let identity: FileIdentity?

    /// Returns nil if another daemon has locked or serves the path.
    ///
    /// Replaces a socket that no daemon serves.
    static func claim(_ path: String, userID: UInt32) throws(StartError) -> DaemonSocket? {
        try check(path, userID: userID)
        let lockPath = path + ".lock"
        let raw = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard raw >= 0 else { throw failure("the lock file", SystemError(call: lockPath, number: platform_errno())) }
        let lock = FileDescriptor(owning: raw)
        // A daemon may serve the path without a lock, for example on a socket from systemd.
        guard flock(raw, LOCK_EX | LOCK_NB) == 0, (try? UnixSocket.isServed(path)) == false else { return nil }
        do throws(SystemError) {
            return try DaemonSocket(path, lock)
        } catch {
            throw failure("the socket", error)
        }
    }

    private init(_ path: String, _ lock: consuming FileDescriptor) throws(SystemError) {
        let temporary = "\(path).\(getpid())"
        _ = unsafe unlink(temporary)
        let listener = try UnixSocket.listen(at: temporary, backlog: Self.backlog)
        identity = FileIdentity(temporary)
        guard unsafe chmod(temporary, Self.mode) == 0, unsafe rename(temporary, path) == 0 else {
            let number = platform_errno()
            _ = unsafe unlink(temporary)
            throw SystemError(call: path, number: number)
        }
        self.path = path
        self.lock = lock
        self.listener = listener.release()
    }

    func remove() {
        if let identity, identity == FileIdentity(path) { _ = unsafe unlink(path) }
    }

    static func check(_ path: String, userID: UInt32) throws(StartError) {
        guard path.hasPrefix("/") else {
            throw StartError("the socket path \(path) is not absolute", hint: "The path must begin with /.")
        }
        guard path.utf8.count <= pathBytesMax else {
            throw StartError(
                "the socket path has \(path.utf8.count) bytes; at most \(pathBytesMax) are allowed",
                hint: "Choose a shorter path with --socket."
            )
        }
        try SocketDirectory.prepare(SmallFile.directory(of: path), userID: userID)
        var status = stat()
        // The kernel fills the variable during the call.
        guard unsafe lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFSOCK else {
            throw StartError("\(path) is not a socket", hint: "Move it, or choose another path with --socket.")
        }
    }

    private static func failure(_ file: String, _ error: SystemError) -> StartError {
        StartError(
            "\(file) cannot be created: \(error)",
            hint: "Remove the existing file, or choose another path with --socket.",
            code: error.number == EACCES ? .notAllowed : .cannotCreate
        )
    }
}

struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        // The kernel fills the variable during the call.
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
