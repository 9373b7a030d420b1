import CPlatform
import CSQLite
import EventLoop
import Glibc

/// A database's file that nobody has open.
package enum DatabaseFile {
    /// Damage that SQLite would take for an empty file, or pass over without a word; any other it finds by itself.
    ///
    /// A file that is missing is damaged if it has a log.
    package static func damage(of path: String) -> StorageError? {
        switch PrivateFile.size(of: path) {
        case 0?: damaged(path, "it is empty")
        case nil where !isThere(path) && (PrivateFile.size(of: path + "-wal") ?? 0) > 0:
            damaged(path, "only its write-ahead log is there")
        case nil: nil
        default:
            WriteAheadLog.read(beside: path)?.log.isDamaged == true
                ? damaged(path, "its write-ahead log is damaged") : nil
        }
    }

    /// Whether there is anything under a name.
    package static func isThere(_ path: String) -> Bool { PrivateFile.number(of: path) != nil }

    /// Makes sure that there is a file, for its owner alone.
    package static func touch(_ path: String) throws(StorageError) { try PrivateFile.prepare(path) }

    /// Removes a file with what SQLite puts beside it, as far as they are there.
    package static func remove(_ path: String) throws(StorageError) {
        PrivateFile.removeAll(of: path)
        if isThere(path) || isThere(path + "-wal") { throw PrivateFile.failure(path) }
    }

    private static func damaged(_ path: String, _ message: String) -> StorageError {
        StorageError(
            StorageError.Code(rawValue: SQLITE_CORRUPT),
            file: PrivateFile.name(of: path),
            message: message,
            hint: "Bring the file back from a backup."
        )
    }

    /// Gives a file another name, for good when this returns; what has that name is replaced.
    package static func move(_ path: String, to other: String) throws(StorageError) {
        // The kernel copies the paths during the call.
        guard unsafe rename(path, other) == 0 else { throw PrivateFile.failure(path) }
        try synchronize(directoryOf: other)
    }

    /// Returns when the disk has what was made, moved and removed in the directory of a file.
    package static func synchronize(directoryOf path: String) throws(StorageError) {
        // The kernel copies the path during the call.
        let raw = unsafe open(PrivateFile.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw PrivateFile.failure(path) }
        let directory = FileDescriptor(owning: raw)
        guard fsync(directory.raw) == 0 else { throw PrivateFile.failure(path) }
    }
}
