import CPlatform
import EventLoop
import Glibc

/// A lock on a directory, so that only one daemon uses it; the kernel releases the lock when the process ends.
package final class DirectoryClaim: Sendable {
    private let lock: FileDescriptor

    /// Throws `inUse` if another process has claimed the directory.
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
            hint: "Stop that searchd, connect to it with its XDG_RUNTIME_DIR or --socket, or choose other directories "
                + "with searchd's options --state and --cache."
        )
    }

    package static func identity(of directory: String) -> [UInt64]? {
        var status = stat()
        return unsafe stat(directory, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
    }
}
