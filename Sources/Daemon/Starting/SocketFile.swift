import CPlatform
import EventLoop
import Glibc

/// The file through which clients find the daemon's own socket.
///
/// Only the file that this daemon made counts as its own, whatever stands under the name by now. From any thread.
final class SocketFile: Sendable {
    /// Who may connect: file permissions guard the door of a daemon that serves every user; peers are told apart
    /// inside.
    static let mode: mode_t = 0o666
    private static let backlog: Int32 = 4096

    /// What stands at the path.
    enum Standing {
        case own
        case nothing
        case other
    }

    /// Names a file for as long as it exists.
    private struct Identity: Equatable {
        let device: dev_t
        let inode: ino_t

        /// Of what stands at a path, a link itself included; nil when that is nothing, or can't be seen.
        init?(_ path: String) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return nil }
            (device, inode) = (status.st_dev, status.st_ino)
        }
    }

    let path: String
    private let identity = Locked<Identity?>(nil)

    init(_ path: String) {
        self.path = path
    }

    var directory: String { SocketPath.directory(of: path) }

    var standing: Standing {
        guard let found = Identity(path) else { return platform_errno() == ENOENT ? .nothing : .other }
        return identity.withLock { $0 } == found ? .own : .other
    }

    /// Makes a listening socket with its file; what stood at the path is replaced in one step.
    func replace() throws(SystemError) -> FileDescriptor {
        try bind { fresh, path in unsafe rename(fresh, path) == 0 ? 0 : platform_errno() }
    }

    /// Makes a listening socket with its file, where nothing stands.
    ///
    /// - Throws: EEXIST when something does, which stays.
    func restore() throws(SystemError) -> FileDescriptor {
        try bind { fresh, path in
            let result = unsafe link(fresh, path)
            let number = platform_errno()
            _ = unsafe unlink(fresh)
            return result == 0 ? 0 : number
        }
    }

    /// Removes the file, if it is this daemon's.
    ///
    /// Only who holds the lock of the path puts another socket there, and that is this daemon.
    func remove() {
        if standing == .own { _ = unsafe unlink(path) }
    }

    /// Binds under a fresh name and has it moved to the path, so that clients never meet a socket that is not served.
    ///
    /// `move` returns 0 or an errno.
    private func bind(_ move: (String, String) -> Int32) throws(SystemError) -> FileDescriptor {
        // The path's limit leaves room for the number.
        let fresh = "\(path).\(getpid())"
        _ = unsafe unlink(fresh)
        let descriptor = try UnixSocket.listen(at: fresh, backlog: Self.backlog)
        let made = Identity(fresh)
        var number: Int32 = 0
        if unsafe chmod(fresh, Self.mode) != 0 { number = platform_errno() }
        if number == 0 { number = move(fresh, path) }
        guard number == 0 else {
            _ = unsafe unlink(fresh)
            throw SystemError(call: path, number: number)
        }
        identity.withLock { $0 = made }
        return descriptor
    }
}
