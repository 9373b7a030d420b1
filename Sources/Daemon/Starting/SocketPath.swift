import CPlatform
import EventLoop
import Glibc

/// The checks that a socket's path must pass before anything is put there.
enum SocketPath {
    /// What fits into sockaddr_un with its NUL.
    static let bytesMax = 107

    /// Refuses a path that is too long, not absolute, or whose directory somebody else could tamper with.
    ///
    /// The directory is made, for its owner alone, when it is missing and its parent is safe. Every directory above is
    /// checked as well: whoever may rename one of them may put another in its place.
    static func prepare(_ path: String, userID: UInt32) throws(StartError) {
        guard path.hasPrefix("/") else {
            throw StartError("the socket's path \(path) is not absolute", hint: "Give a path that begins with /.")
        }
        guard path.utf8.count <= bytesMax else {
            throw StartError(
                "the socket's path has \(path.utf8.count) bytes; the system allows \(bytesMax)",
                hint: "Choose a shorter one with --socket."
            )
        }
        let directory = Self.directory(of: path)
        try makeIfMissing(directory)
        try check(directory, userID: userID)
        try checkPlace(path)
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    private static func makeIfMissing(_ directory: String) throws(StartError) {
        guard unsafe mkdir(directory, 0o755) != 0 else { return }
        let number = platform_errno()
        guard number != EEXIST else { return }
        throw StartError(
            "the socket's directory can't be made: \(SystemError(call: directory, number: number))",
            hint: "Make it, or choose another with --socket."
        )
    }

    /// A directory is safe when only its owner (root or this user) may change it, and so are those above it; a sticky
    /// one such as /tmp is safe above, since others can't rename what is not theirs.
    private static func check(_ directory: String, userID: UInt32) throws(StartError) {
        var path = try resolved(directory)
        var isInnermost = true
        while true {
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                throw StartError("\(path) is not a directory", hint: "Choose another socket path.")
            }
            guard status.st_uid == 0 || status.st_uid == userID else {
                throw StartError(
                    "\(path) belongs to user \(status.st_uid), who could put another socket in place of this one",
                    hint: "Use a directory of your own, such as $XDG_RUNTIME_DIR."
                )
            }
            let othersMayWrite = status.st_mode & 0o022 != 0
            let isSticky = status.st_mode & mode_t(S_ISVTX) != 0
            guard !othersMayWrite || (isSticky && !isInnermost) else {
                throw StartError(
                    "others may write to \(path)",
                    hint: isSticky ? "Put the socket into a directory of its own there." : "chmod go-w \(path)"
                )
            }
            if path == "/" { return }
            path = Self.directory(of: path)
            isInnermost = false
        }
    }

    private static func resolved(_ directory: String) throws(StartError) -> String {
        guard let real = unsafe realpath(directory, nil) else {
            throw StartError("\(directory) can't be resolved", hint: "Choose another socket path.")
        }
        // realpath's result is ours to free, after it has been copied.
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    /// What stands at the path already must be a socket: a daemon never removes anything else.
    private static func checkPlace(_ path: String) throws(StartError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw StartError(
                "\(path) is there and is not a socket",
                hint: "Move it away, or choose another path with --socket."
            )
        }
    }
}
