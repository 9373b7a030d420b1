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

    /// Makes a listening socket with its file, which replaces an existing one in one step: clients never meet a socket
    /// that is not served.
    func replace() throws(SystemError) -> FileDescriptor {
        // The path's limit leaves room for the number.
        let fresh = "\(path).\(getpid())"
        _ = unsafe unlink(fresh)
        let descriptor = try UnixSocket.listen(at: fresh, backlog: Self.backlog)
        let made = Identity(fresh)
        guard unsafe chmod(fresh, Self.mode) == 0, unsafe rename(fresh, path) == 0 else {
            let number = platform_errno()
            _ = unsafe unlink(fresh)
            throw SystemError(call: path, number: number)
        }
        identity.withLock { $0 = made }
        return descriptor
    }

    /// Removes the file, if it is this daemon's.
    ///
    /// Only the holder of the path's lock puts another socket there, and that is this daemon.
    func remove() {
        if let made = identity.withLock({ $0 }), made == Identity(path) { _ = unsafe unlink(path) }
    }
}
