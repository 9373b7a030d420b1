import CPlatform
import EventLoop
import Glibc

/// The right to be the only process that works in a directory, for as long as this lives; the kernel frees it when the
/// process ends, however that happens.
///
/// The lock file tells who has it: the number of the process, and nothing from when that is about to end.
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
            let number = platform_errno()
            let isClosed = [EROFS, EACCES, EPERM].contains(number)
            throw StorageError(
                isClosed ? .directory : .unsafeFile,
                file: PrivateFile.name(of: path),
                message: "\(SystemError(call: "\(path) can't be opened", number: number))",
                hint: isClosed
                    ? "Make \(directory) writable for the user of the daemon, or choose another with --state."
                    : "Remove what stands there."
            )
        }
        lock = FileDescriptor(owning: raw)
        guard flock(lock.raw, LOCK_EX | LOCK_NB) == 0 else {
            let process = Self.holder(of: directory).map { " (process \($0))" } ?? ""
            throw StorageError(
                .inUse,
                file: PrivateFile.name(of: path),
                message: "another searchd\(process) works in \(directory)",
                hint: "Use that one, stop it, or give this one another directory with --state."
            )
        }
        number = PrivateFile.number(of: path)
        write("\(getpid())\n")
    }

    /// The process that has claimed a directory to stay; nil when none has, or it is about to end.
    ///
    /// What is read is only told to people and waited for, so that a wrong number does no harm.
    package static func holder(of directory: String) -> Int32? {
        guard let bytes = SystemCall.contents(of: "\(directory)/lock") else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    /// Lets a successor know that the directory will soon be free.
    package func endsSoon() { write("") }

    /// Puts a text in place of what the lock file says; on a full disk it says nothing.
    private func write(_ text: String) {
        guard ftruncate(lock.raw, 0) == 0 else { return }
        let bytes = Array(text.utf8)
        // The count is that of the array.
        _ = unsafe pwrite(lock.raw, bytes, bytes.count, 0)
    }

    /// Whether the lock is the one under its name: else another process may have taken that.
    package var isInPlace: Bool { number != nil && PrivateFile.number(of: path) == number }
}
