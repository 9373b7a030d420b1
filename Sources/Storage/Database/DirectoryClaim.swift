import CPlatform
import EventLoop
import Glibc

/// The right to be the only process that works in a directory, for as long as this lives; the kernel frees it when the
/// process ends, however that happens.
package final class DirectoryClaim: Sendable {
    private let path: String
    private let number: UInt64?
    private let lock: FileDescriptor

    /// Takes the lock file of a directory, which are both made when they are missing.
    ///
    /// - Throws: `inUse` when another process has it.
    package init(_ directory: String) throws(StorageError) {
        path = "\(directory)/lock"
        try PrivateFile.prepare(path)
        let raw = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard raw >= 0 else {
            throw StorageError(
                .unsafeFile,
                file: PrivateFile.name(of: path),
                message: "\(SystemError(call: "\(path) can't be opened", number: platform_errno()))",
                hint: "Remove what stands there."
            )
        }
        lock = FileDescriptor(owning: raw)
        guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
            throw StorageError(
                .inUse,
                file: PrivateFile.name(of: path),
                message: "another searchd works in \(directory)",
                hint: "Use that one, stop it, or give this one another directory with --state."
            )
        }
        number = PrivateFile.number(of: path)
    }

    /// Whether the lock is the one under its name: else another process may have taken that.
    package var isInPlace: Bool { number != nil && PrivateFile.number(of: path) == number }
}
