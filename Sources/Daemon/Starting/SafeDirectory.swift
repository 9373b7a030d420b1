import CPlatform
import EventLoop
import Glibc

/// Finds a directory as the kernel does, name by name and link by link, and refuses one that another user could change
/// or replace.
///
/// Only root and this user may own a directory or a link on the way. Where others may write, a name could be given to
/// something else; a sticky directory such as /tmp is safe to pass, since what is root's or this user's stays there,
/// but not to put a socket into.
struct SafeDirectory {
    /// As many as the kernel follows.
    private static let linksMax = 40

    private let userID: UInt32
    /// The names still to go, the next one last.
    private var names: [Substring]
    private var location = "/"
    private var links = 0
    /// Whether every missing directory is made, for this user alone.
    private var isPrivate = false

    /// Checks an absolute path, and makes its last directory when all above is safe and only that one is missing.
    static func prepare(_ directory: String, userID: UInt32) throws(StartError) {
        var walk = SafeDirectory(userID: userID, names: names(of: directory))
        try walk.checkDirectory()
        while let name = walk.names.popLast() { try walk.step(name) }
    }

    /// Checks an absolute path in the same way, makes all that is missing of it, and refuses a last directory into
    /// which another user could look.
    static func preparePrivate(_ directory: String, userID: UInt32) throws(StartError) {
        var walk = SafeDirectory(userID: userID, names: names(of: directory))
        walk.isPrivate = true
        try walk.checkDirectory()
        while let name = walk.names.popLast() { try walk.step(name) }
        let status = try walk.status()
        guard status.st_uid == userID, status.st_mode & 0o077 == 0 else {
            throw StartError(
                "\(walk.location) is not yours alone, so others could use the socket in it",
                hint: "Run “chmod 700 \(walk.location)”.",
                code: .notAllowed
            )
        }
    }

    private static func names(of path: some StringProtocol) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }.reversed().map { Substring($0) }
    }

    private mutating func step(_ name: Substring) throws(StartError) {
        if name == ".." {
            location = SocketPath.directory(of: location)
            return try checkDirectory()
        }
        let above = location
        location = location == "/" ? "/\(name)" : "\(location)/\(name)"
        if names.isEmpty || isPrivate { try makeIfMissing() }
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFLNK else { return try checkDirectory() }
        try checkOwner(status)
        links += 1
        guard links <= Self.linksMax, let bytes = SystemCall.target(ofLink: location),
            let target = String(validating: bytes, as: UTF8.self)
        else {
            throw StartError("\(location) leads nowhere", hint: "Choose another socket path.")
        }
        names += Self.names(of: target)
        location = target.hasPrefix("/") ? "/" : above
        // A link may lead to the root or back to where it stands.
        try checkDirectory()
    }

    private func makeIfMissing() throws(StartError) {
        guard unsafe mkdir(location, isPrivate ? 0o700 : 0o755) != 0 else { return }
        let number = platform_errno()
        guard number != EEXIST else { return }
        throw StartError(
            "the socket's directory can't be created: \(SystemError(call: location, number: number))",
            hint: "Create it, or choose another with --socket.",
            code: number == EACCES ? .notAllowed : .cannotCreate
        )
    }

    private func status() throws(StartError) -> stat {
        var status = stat()
        guard unsafe lstat(location, &status) == 0 else {
            throw StartError(
                "the socket's directory can't be created: \(SystemError(call: location, number: platform_errno()))",
                hint: "Create it, or choose another with --socket."
            )
        }
        return status
    }

    private func checkOwner(_ status: stat) throws(StartError) {
        guard status.st_uid == 0 || status.st_uid == userID else {
            throw StartError(
                "\(location) belongs to user \(status.st_uid), who could replace the socket",
                hint: "Use a directory of your own, such as $XDG_RUNTIME_DIR."
            )
        }
    }

    private func checkDirectory() throws(StartError) {
        let status = try status()
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StartError("\(location) is not a directory", hint: "Choose another socket path.")
        }
        try checkOwner(status)
        let isSticky = status.st_mode & mode_t(S_ISVTX) != 0
        let othersMayWrite = status.st_mode & 0o022 != 0
        guard !othersMayWrite || (isSticky && !names.isEmpty) else {
            throw StartError(
                "others may write to \(location)",
                hint: isSticky ? "Put the socket into a directory of its own there." : "Run “chmod go-w \(location)”."
            )
        }
    }
}
