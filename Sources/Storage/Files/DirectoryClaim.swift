import CPlatform
import EventLoop
import Glibc

/// The exclusive right to use a directory as a daemon, for the lifetime of this value.
///
/// It is a lock on the directory itself, so it needs no write permission. The kernel releases it when the process ends
/// in any way.
package final class DirectoryClaim: Sendable {
    private let lock: FileDescriptor

    /// Claims a directory; creates it if missing.
    ///
    /// - Throws: `inUse` when another process has claimed it, or else the reason why it can't be claimed.
    package init(_ directory: String) throws(StorageError) {
        try PrivateFile.prepare(directory: directory)
        // The kernel copies the path during the call.
        let raw = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw PrivateFile.error(directory, "can't be opened", platform_errno()) }
        lock = FileDescriptor(owning: raw)
        guard flock(lock.raw, LOCK_EX | LOCK_NB) != 0 else { return }
        let number = platform_errno()
        guard number == EWOULDBLOCK else { throw PrivateFile.error(directory, "can't be locked", number) }
        throw StorageError(
            .inUse,
            file: PrivateFile.name(of: directory),
            message: "another searchd uses \(directory)",
            hint: "Use that one, stop it, or choose another directory with --state and --cache."
        )
    }

    /// Identifies a directory independently of its path; nil if it can't be examined.
    package static func identity(of directory: String) -> [UInt64]? {
        var status = stat()
        return unsafe stat(directory, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
