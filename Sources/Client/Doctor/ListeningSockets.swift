import EventLoop

/// The Unix sockets that something listens on, by the kernel's table; pure.
///
/// Unlike connecting, looking there starts no service; unlike a file, a socket in it has a daemon or a service manager.
struct ListeningSockets {
    /// How the table marks them.
    private static let listening = "00010000"
    private static let flagsColumn = 3
    private static let pathColumn = 7

    private let paths: Set<String>

    /// Those of this machine; none where the table can't be read.
    static var all: ListeningSockets {
        let table = SystemCall.contents(of: "/proc/net/unix") ?? []
        return ListeningSockets(table: String(decoding: table, as: UTF8.self))
    }

    init(table: String) {
        let rows = table.split(separator: "\n").map {
            $0.split(separator: " ", maxSplits: Self.pathColumn, omittingEmptySubsequences: true)
        }
        let bound = rows.filter { $0.count > Self.pathColumn && $0[Self.flagsColumn] == Self.listening }
        paths = Set(bound.map { String($0[Self.pathColumn]) })
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }
}
