import CPlatform
import EventLoop
import Glibc

/// What the file system says of a path.
struct PathFacts: Equatable, Sendable {
    let path: String
    let userID: UInt32
    /// The permission bits.
    let mode: UInt32
    let isDirectory: Bool

    init(path: String, userID: UInt32, mode: UInt32, isDirectory: Bool = false) {
        self.path = path
        self.userID = userID
        self.mode = mode
        self.isDirectory = isDirectory
    }

    /// Nil when there is nothing, or nothing that may be looked at.
    init?(of path: String) {
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(
            path: path,
            userID: status.st_uid,
            mode: status.st_mode & 0o7777,
            isDirectory: status.st_mode & S_IFMT == S_IFDIR
        )
    }

    /// Whether others could put something into the directory.
    var othersMayAdd: Bool { mode & 0o022 != 0 }
    /// Whether others could replace what is in the directory.
    var othersMayReplace: Bool { othersMayAdd && mode & 0o1000 == 0 }

    /// `0700`.
    var modeText: String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The files in a directory that others than their owner may read or change; none where it can't be looked into.
    static func openFiles(in directory: String) -> [PathFacts] {
        (SystemCall.names(in: directory) ?? []).sorted()
            .compactMap { PathFacts(of: "\(directory)/\($0)") }
            .filter { !$0.isDirectory && $0.mode & 0o077 != 0 }
    }

    /// The directory above.
    static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The bytes that this user can still write where a path is or would be; nil when that can't be told.
    static func freeBytes(at path: String) -> Int? {
        var existing = path
        var found = statvfs()
        // The kernel fills the local, which outlives the call.
        while unsafe statvfs(existing, &found) != 0 {
            // A directory above one that may not be looked at can be on another file system.
            guard platform_errno() == ENOENT, existing != "/", existing != "." else { return nil }
            existing = parent(of: existing)
        }
        let (bytes, isTooMany) = UInt64(found.f_bavail).multipliedReportingOverflow(by: UInt64(found.f_frsize))
        return isTooMany ? .max : Int(clamping: bytes)
    }
}
