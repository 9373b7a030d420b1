import CPlatform
import EventLoop
import Glibc

/// The right to be the only daemon that uses a directory, for as long as this lives.
///
/// It is a lock on the directory itself, so it needs no right to write there. The kernel frees it when the process
/// ends, however that happens.
package final class DirectoryClaim: Sendable {
    private let lock: FileDescriptor

    /// Claims a directory, which is created when it is missing.
    ///
    /// - Throws: `inUse` when another process has claimed it, and why it can't be claimed otherwise.
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

    /// Names a directory whatever path leads to it; nil when it can't be looked at.
    package static func identity(of directory: String) -> [UInt64]? {
        var status = stat()
        return unsafe stat(directory, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
