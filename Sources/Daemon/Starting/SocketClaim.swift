import CPlatform
import EventLoop
import Glibc

/// The right to serve one socket path: a lock held for as long as this lives, and the listening socket.
struct SocketClaim: ~Copyable {
    let file: SocketFile
    private let lock: FileDescriptor

    /// What came of trying to claim a path.
    enum Outcome: ~Copyable {
        case claimed(SocketClaim, listener: FileDescriptor)
        /// Another daemon holds it.
        case held
    }

    /// Takes the lock, then binds under a fresh name and renames the socket to its path, so that at every moment the
    /// path leads to a socket that is served, or was until this daemon took over.
    static func claim(_ path: String, userID: UInt32) throws(StartError) -> Outcome {
        try SocketPath.prepare(path, userID: userID)
        let lockPath = path + ".lock"
        let raw = unsafe open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard raw >= 0 else {
            let error = SystemError(call: lockPath, number: platform_errno())
            throw StartError(
                "the lock file can't be opened: \(error)",
                hint: "Remove what stands there, or choose another path with --socket.",
                code: error.number == EACCES ? .notAllowed : .cannotCreate
            )
        }
        let lock = FileDescriptor(owning: raw)
        guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0, isFile(lock.raw, at: lockPath) else { return .held }
        // Another daemon may serve without this lock: its own was removed, or a service manager handed the socket over.
        guard (try? UnixSocket.isServed(path)) == false else { return .held }
        let file = SocketFile(path)
        do throws(SystemError) {
            let listener = try file.replace()
            return .claimed(SocketClaim(file: file, lock: lock), listener: listener)
        } catch {
            throw StartError(
                "the socket can't be made: \(error)",
                hint: "Choose a directory you may write to with --socket.",
                code: error.number == EACCES ? .notAllowed : .cannotCreate
            )
        }
    }

    /// Lets go of the lock; the lock file stays, since removing it would let two in.
    consuming func release() {}

    /// Whether the locked file still stands under its name; else another may have locked the one that does.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (own, named) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &named) == 0 else { return false }
        return own.st_dev == named.st_dev && own.st_ino == named.st_ino
    }
}
