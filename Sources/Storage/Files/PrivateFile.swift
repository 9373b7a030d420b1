import CPlatform
import CSQLite
import EventLoop
import Glibc

/// Files that only this user can read, in directories that only this user and root can change.
package enum PrivateFile {
    static let fileMode: mode_t = 0o600
    static let directoryMode: mode_t = 0o700
    package static let companions = ["", "-wal", "-shm", "-journal"]

    /// Creates a missing file and its directories, or restricts an existing file to its owner.
    static func prepare(_ path: String) throws(StorageError) {
        try prepare(directory: directory(of: path))
        // An existing file is not opened, because closing it would release the locks that SQLite holds on it.
        let raw = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
        if raw >= 0 {
            _ = FileDescriptor(owning: raw)
        } else if platform_errno() == EEXIST {
            try restrict(path)
        } else {
            throw Self.error(path, "can't be created", platform_errno())
        }
    }

    package static func check(_ path: String) throws(StorageError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            throw platform_errno() == EACCES ? failure(path) : error(path, "can't be opened", platform_errno())
        }
        guard isOwn(status) else { throw unsafeFile(path, status) }
    }

    package static func isWritable(_ directory: String) -> Bool {
        // The kernel copies the path during the call.
        unsafe access(directory, W_OK | X_OK) == 0
    }

    private static func isOwn(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
    }

    private static func restrict(_ path: String) throws(StorageError) {
        // Closing a descriptor that was opened with O_PATH releases no lock.
        let raw = unsafe platform_open_path(path)
        guard raw >= 0 else { throw Self.error(path, "can't be opened", platform_errno()) }
        let descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0, isOwn(status) else {
            throw unsafeFile(path, status)
        }
        guard status.st_mode & 0o7777 != fileMode else { return }
        // chmod on the original path would follow a link.
        guard unsafe chmod("/proc/self/fd/\(descriptor.raw)", fileMode) == 0 else {
            throw Self.error(path, "can't be restricted to its owner", platform_errno())
        }
    }

    private static func unsafeFile(_ path: String, _ status: stat) -> StorageError {
        let isDirectory = status.st_mode & S_IFMT == S_IFDIR
        let fault = isDirectory ? "is a directory" : "is a link, is hard-linked, or is owned by another user"
        return StorageError(
            .unsafeFile,
            file: name(of: path),
            message: "\(path) \(fault)",
            hint: "Remove it, or move it away."
        )
    }

    package static func isThere(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0
    }

    /// Also true if the directory is not accessible.
    package static func mayBeThere(_ path: String) -> Bool { isThere(path) || platform_errno() != ENOENT }

    package static func size(of path: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// In seconds since 1970; nil if the file does not exist.
    package static func changedAt(_ path: String) -> Int64? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_mtim.tv_sec)
    }

    package static func setChanged(_ path: String, at seconds: Int64) throws(StorageError) {
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        // The kernel copies the path and the times during the call.
        guard unsafe utimensat(AT_FDCWD, path, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else { throw failure(path) }
    }

    package static func freeBytes(in directory: String) -> Int? {
        var found = statvfs()
        // The kernel fills the local during the call.
        guard unsafe statvfs(directory, &found) == 0 else { return nil }
        let (bytes, isTooMany) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }

    // MARK: Moving and removing

    /// Replaces an existing file, and waits until the change is on disk.
    package static func move(_ path: String, to other: String) throws(StorageError) {
        // The kernel copies the paths during the call.
        guard unsafe rename(path, other) == 0 else { throw failure(other) }
        try synchronize(directoryOf: other)
    }

    /// Removes the file and its companions; the removal is durable after `synchronize(directoryOf:)`.
    package static func remove(_ path: String) throws(StorageError) {
        for companion in companions {
            // The kernel copies the path during the call.
            guard unsafe unlink(path + companion) == 0 || platform_errno() == ENOENT else {
                throw failure(path + companion)
            }
        }
    }

    package static func synchronize(directoryOf path: String) throws(StorageError) {
        // The kernel copies the path during the call.
        let raw = unsafe open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard raw >= 0 else { throw failure(path) }
        let directory = FileDescriptor(owning: raw)
        guard fsync(directory.raw) == 0 else { throw failure(path) }
    }

    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    package static func directory(of path: String) -> String {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return names.count <= 1 ? "/" : names.joined(separator: "/")
    }

    static func prepare(directory: String) throws(StorageError) {
        try makeDirectory(directory)
        try checkDirectory(directory)
    }

    private static func makeDirectory(_ path: String) throws(StorageError) {
        guard unsafe mkdir(path, directoryMode) != 0 else { return }
        switch platform_errno() {
        case EEXIST: return
        case ENOENT where path != "/":
            try makeDirectory(directory(of: path))
            guard unsafe mkdir(path, directoryMode) != 0, platform_errno() != EEXIST else { return }
            fallthrough
        default: throw error(path, "can't be created", platform_errno())
        }
    }

    private static func checkDirectory(_ path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw error(path, "can't be read", platform_errno()) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw error(path, "is not a directory", ENOTDIR) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw StorageError(
                .directory,
                file: name(of: path),
                message: "\(path) belongs to user \(status.st_uid)",
                hint: "Change its owner to the daemon's user, or choose another directory with --state and --cache."
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw StorageError(
                .directory,
                file: name(of: path),
                message: "other users can write to \(path)",
                hint: "Run “chmod go-w \(path)”."
            )
        }
    }

    /// Reads errno, so no other call may come between the failed call and this one.
    private static func failure(_ path: String) -> StorageError {
        let number = platform_errno()
        let result =
            switch number {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EACCES, EPERM, EROFS: SQLITE_PERM
            default: SQLITE_IOERR
            }
        let error = StorageError(result: result, file: name(of: path))
        return StorageError(
            error.code,
            file: error.file,
            message: "\(SystemError(call: path, number: number))",
            hint: error.hint
        )
    }

    static func error(_ path: String, _ what: String, _ number: Int32) -> StorageError {
        StorageError(
            .directory,
            file: name(of: path),
            message: "\(SystemError(call: "\(path) \(what)", number: number))",
            hint: "Create it for the daemon's user, or choose another directory with --state and --cache."
        )
    }
}
