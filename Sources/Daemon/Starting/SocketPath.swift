import EventLoop
import Glibc

/// The checks that a socket's path must pass before anything is put there.
enum SocketPath {
    static let bytesMax = SocketLocation.pathBytesMax

    /// Refuses a path that is too long, not absolute, or taken, or whose directory another user could tamper with.
    ///
    /// The directory is made, for its owner alone to change, when it is missing and all above it is safe.
    static func prepare(_ path: String, userID: UInt32) throws(StartError) {
        guard path.hasPrefix("/") else {
            throw StartError("the socket's path \(path) is not absolute", hint: "Give a path that begins with /.")
        }
        guard path.utf8.count <= bytesMax else {
            throw StartError(
                "the socket's path has \(path.utf8.count) bytes; at most \(bytesMax) fit",
                hint: "Choose a shorter one with --socket."
            )
        }
        try SafeDirectory.prepare(directory(of: path), userID: userID)
        try checkPlace(path)
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
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
