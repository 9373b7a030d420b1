import CPlatform
import EventLoop
import Glibc

/// A listening socket that the daemon creates itself, and the lock on its path; from any thread.
///
/// The lock is held until this is deallocated.
final class DaemonSocket: Sendable {
    /// Everyone may connect: the daemon checks each peer itself.
    static let mode: mode_t = 0o666
    static let pathBytesMax = SocketLocation.pathBytesMax
    private static let backlog: Int32 = 4096

    let path: String
    /// The caller owns this descriptor.
    let listener: Int32
    private let lock: FileDescriptor
    private let identity: FileIdentity?

    /// Claims a path and listens there; a stale socket is replaced.
    ///
    /// - Returns: Nil if another daemon has the path.
    static func claim(_ path: String, userID: UInt32) throws(StartError) -> DaemonSocket? {
        try check(path, userID: userID)
        let lockPath = path + ".lock"
        let raw = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard raw >= 0 else { throw failure("the lock file", SystemError(call: lockPath, number: platform_errno())) }
        let lock = FileDescriptor(owning: raw)
        // A daemon may also serve the path without this lock: if the file was removed, or systemd passed the socket.
        guard flock(raw, LOCK_EX | LOCK_NB) == 0, (try? UnixSocket.isServed(path)) == false else { return nil }
        do throws(SystemError) {
            return try DaemonSocket(path, lock)
        } catch {
            throw failure("the socket", error)
        }
    }

    /// Binds under another name and renames, so that clients always find a socket that is served.
    private init(_ path: String, _ lock: consuming FileDescriptor) throws(SystemError) {
        // The limit on the path's length leaves room for the number.
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

    /// Removes the file, unless it is no longer this socket.
    func remove() {
        if let identity, identity == FileIdentity(path) { _ = unsafe unlink(path) }
    }

    /// Refuses a path that is too long, not absolute or in use by another file, and an unsafe directory.
    static func check(_ path: String, userID: UInt32) throws(StartError) {
        guard path.hasPrefix("/") else {
            throw StartError("the socket path \(path) is not absolute", hint: "It must begin with /.")
        }
        guard path.utf8.count <= pathBytesMax else {
            throw StartError(
                "the socket path has \(path.utf8.count) bytes; at most \(pathBytesMax) are allowed",
                hint: "Choose a shorter one with --socket."
            )
        }
        try SocketDirectory.prepare(SmallFile.directory(of: path), userID: userID)
        var status = stat()
        // The kernel fills the local, which outlives the call.
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

/// Identifies a file independently of its path.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    /// Identifies the file or, unless links are followed, the link at a path; nil if it is missing.
    init?(_ path: String, followsLinks: Bool = false) {
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        (device, inode) = (status.st_dev, status.st_ino)
    }
}
