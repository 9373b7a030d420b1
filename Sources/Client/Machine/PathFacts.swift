import CPlatform
import EventLoop
import Glibc

/// The owner and the mode of a file or directory.
struct PathFacts: Equatable, Sendable {
    let path: String
    let userID: UInt32
    let mode: UInt32
    var isDirectory = false
    var isSocket = false
    /// In seconds since 1970.
    var modifiedAt: Int64 = 0

    var othersMayAdd: Bool { mode & 0o022 != 0 }
    var othersMayReplace: Bool { othersMayAdd && mode & 0o1000 == 0 }

    var modeText: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns whether this user may access the path, or its parent directory if the path does not exist.
    static func mayUse(_ path: String, _ mode: Int32) -> Bool {
        // The path is valid during the call.
        unsafe access(path, mode) == 0 || platform_errno() == ENOENT && path != "/" && mayUse(parent(of: path), mode)
    }

    /// Returns how many bytes this user can write on the file system of a path.
    ///
    /// The path need not exist.
    static func freeBytes(at path: String) -> Int? {
        var existing = path
        var found = statvfs()
        // The kernel fills `found`, which is valid during the call.
        while unsafe statvfs(existing, &found) != 0 {
            guard platform_errno() == ENOENT, existing != "/", existing != "." else { return nil }
            existing = parent(of: existing)
        }
        let (bytes, isTooMany) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }
}

extension PathFacts {
    init?(of path: String) {
        var status = stat()
        // The kernel fills `status`, which is valid during the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(
            path: path,
            userID: status.st_uid,
            mode: status.st_mode & 0o7777,
            isDirectory: status.st_mode & S_IFMT == S_IFDIR,
            isSocket: status.st_mode & S_IFMT == S_IFSOCK,
            modifiedAt: Int64(status.st_mtim.tv_sec)
        )
    }
}
