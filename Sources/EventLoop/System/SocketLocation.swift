import Glibc

/// Where a daemon listens when nothing names a path: the same for the daemon, which takes the first, and for its
/// clients, which try all of them in order.
package struct SocketLocation: Equatable, Sendable {
    package static let system = "/run/searchd/searchd.sock"
    /// What fits into sockaddr_un with its NUL, and with the suffix under which a daemon binds the socket before it has
    /// its name: a dot and the largest process number.
    package static let pathBytesMax = 107 - 8

    /// The paths, the user's own before the system's.
    package let paths: [String]
    /// The one of them that lies in a directory which must be the user's alone, and which the daemon makes.
    package let privatePath: String?

    /// - Parameters:
    ///   - userID: The user; root has no daemon of its own but the system's, unless a runtime directory is named.
    ///   - runtime: `XDG_RUNTIME_DIR`.
    ///   - stateHome: The directory that holds the user's state.
    ///   - login: Finds the directory of a user's sessions, which cron, su and containers do not name.
    package init(
        userID: UInt32,
        runtime: String?,
        stateHome: String?,
        login: (UInt32) -> String? = SocketLocation.loginDirectory
    ) {
        let isRoot = userID == 0
        let directory = runtime ?? (isRoot ? nil : login(userID))
        let own = directory.map { $0 + ($0.hasSuffix("/") ? "" : "/") + "searchd.sock" }
        let kept = isRoot ? nil : stateHome.map { $0 + "/searchd/run/searchd.sock" }
        privatePath = kept.flatMap { $0.utf8.count <= Self.pathBytesMax ? $0 : nil }
        paths = [own, privatePath, Self.system].compactMap(\.self)
    }

    /// `/run/user/UID`; nil unless it is the user's alone.
    package static func loginDirectory(of userID: UInt32) -> String? {
        let path = "/run/user/\(userID)"
        var status = stat()
        // The kernel fills the local, which outlives the call.
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == userID,
            status.st_mode & 0o077 == 0
        else { return nil }
        return path
    }
}
