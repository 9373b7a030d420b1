import CPlatform
import CSQLite
import EventLoop
import Glibc

/// Files that only this user reads, in directories that only this user changes.
package enum PrivateFile {
    static let fileMode: mode_t = 0o600
    static let directoryMode: mode_t = 0o700
    /// What SQLite adds to the names of a file and of what it puts beside it.
    private static let companions = ["", "-wal", "-shm"]

    /// Makes the file when it is missing, with the directories above it; takes the others' rights from one that is
    /// there.
    ///
    /// - Throws: For a link, and for anything but a file of this user's with this name alone: neither is touched.
    static func prepare(_ path: String) throws(StorageError) {
        let directory = directory(of: path)
        try makeDirectory(directory)
        try checkDirectory(directory)
        // Only a file that was not there is opened: closing a descriptor of one that SQLite has open elsewhere in this
        // process would take its locks away.
        let raw = unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, fileMode)
        if raw >= 0 {
            _ = FileDescriptor(owning: raw)
        } else if platform_errno() == EEXIST {
            try restrict(path)
        } else {
            throw Self.error(path, "can't be made", platform_errno())
        }
    }

    /// Whether it is a regular file of this user's, with one name, that may be read and written.
    static func isUsable(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && isOwn(status) && access(path, R_OK | W_OK) == 0
    }

    /// A file with a second name is another's too, wherever that name stands.
    private static func isOwn(_ status: stat) -> Bool {
        status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid() && status.st_nlink == 1
    }

    /// Takes the others' rights from a file of this user's.
    private static func restrict(_ path: String) throws(StorageError) {
        // It only names the file, so that closing it takes no lock away, and what is checked is what is changed.
        let raw = unsafe platform_open_path(path)
        guard raw >= 0 else { throw Self.error(path, "can't be opened", platform_errno()) }
        let descriptor = FileDescriptor(owning: raw)
        var status = stat()
        guard unsafe fstat(descriptor.raw, &status) == 0, isOwn(status) else {
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            let fault = isDirectory ? "is a directory" : "is a link, has a second name, or is not this user's"
            throw StorageError(
                .unsafeFile,
                file: name(of: path),
                message: "\(path) \(fault)",
                hint: "Remove it, or move it away."
            )
        }
        guard status.st_mode & 0o7777 != fileMode else { return }
        // The kernel's name for what the descriptor names; chmod itself would follow a link.
        guard unsafe chmod("/proc/self/fd/\(descriptor.raw)", fileMode) == 0 else {
            throw Self.error(path, "can't be closed to others", platform_errno())
        }
    }

    /// The number of the file in its file system; nil when there is none.
    package static func number(of path: String) -> UInt64? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    /// The bytes of a regular file; nil when there is none.
    static func size(of path: String) -> Int? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    package static func directory(of path: String) -> String {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return names.count <= 1 ? "/" : names.joined(separator: "/")
    }

    /// Removes a file, and what SQLite puts beside it.
    static func removeAll(of path: String) {
        // The kernel copies the path during the call.
        for companion in companions { _ = unsafe unlink(path + companion) }
    }

    private static func makeDirectory(_ path: String) throws(StorageError) {
        guard unsafe mkdir(path, directoryMode) != 0 else { return }
        switch platform_errno() {
        case EEXIST: return
        case ENOENT where path != "/":
            try makeDirectory(directory(of: path))
            guard unsafe mkdir(path, directoryMode) != 0, platform_errno() != EEXIST else { return }
            fallthrough
        default: throw error(path, "can't be made", platform_errno())
        }
    }

    private static func checkDirectory(_ path: String) throws(StorageError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw error(path, "can't be read", platform_errno()) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw error(path, "is no directory", ENOTDIR) }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw StorageError(
                .directory,
                file: name(of: path),
                message: "\(path) belongs to user \(status.st_uid)",
                hint: "Give it to the user of the daemon, or choose another with --state and --cache."
            )
        }
        guard status.st_mode & 0o022 == 0 else {
            throw StorageError(
                .directory,
                file: name(of: path),
                message: "others may write to \(path)",
                hint: "Run “chmod go-w \(path)”."
            )
        }
    }

    /// Why the system's latest call for a file failed, in SQLite's words.
    static func failure(_ path: String) -> StorageError {
        let result =
            switch platform_errno() {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EACCES, EPERM, EROFS: SQLITE_PERM
            default: SQLITE_IOERR
            }
        return StorageError(result: result, file: name(of: path))
    }

    private static func error(_ path: String, _ what: String, _ number: Int32) -> StorageError {
        StorageError(
            .directory,
            file: name(of: path),
            message: "\(SystemError(call: "\(path) \(what)", number: number))",
            hint: "Make it and give it to the user of the daemon, or choose another with --state and --cache."
        )
    }
}
