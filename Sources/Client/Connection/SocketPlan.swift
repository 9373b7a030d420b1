/// Where a daemon may listen, and where one would be started; pure.
package struct SocketPlan: Equatable, Sendable {
    /// What a socket's address holds, without the byte that ends it.
    package static let pathBytesMax = 107
    package static let systemPath = "/run/searchd/searchd.sock"

    /// The places to try, in order.
    package let candidates: [String]
    /// Where a daemon would be started; nil when this user has no place for one.
    package let startPath: String?

    /// The plan of a command line and an environment.
    ///
    /// A place that was asked for is the only one; else the user's own, then the system's.
    package init(option: String?, environment: Environment, isRoot: Bool) throws(ClientError) {
        if let asked = option ?? environment["SEARCHD_SOCKET"] {
            candidates = [asked]
            startPath = asked
        } else if let directory = environment.directory("XDG_RUNTIME_DIR") {
            let own = directory + (directory.hasSuffix("/") ? "" : "/") + "searchd.sock"
            candidates = [own, Self.systemPath]
            startPath = own
        } else {
            candidates = [Self.systemPath]
            startPath = isRoot ? Self.systemPath : nil
        }
        for path in candidates where path.utf8.count > Self.pathBytesMax {
            throw ClientError(
                .usage,
                "the socket path has \(path.utf8.count) bytes and may have \(Self.pathBytesMax): \(path)",
                hint: "Choose a shorter one with --socket or $SEARCHD_SOCKET"
            )
        }
    }
}
