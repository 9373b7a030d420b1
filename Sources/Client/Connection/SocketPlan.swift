import EventLoop
import Glibc
import SearchModel

/// The paths where a daemon may listen, and the path for a new daemon.
package struct SocketPlan: Equatable, Sendable {
    /// The limit of Linux for the path of a Unix socket.
    package static let pathBytesMax = 107
    package static let systemPath = SocketLocation.system

    package let candidates: [String]
    package let startPath: String?
    let isChosen: Bool

    package init(option: String?, environment: Environment, userID: UInt32) throws(ClientError) {
        if let asked = option ?? environment["SEARCHD_SOCKET"] {
            candidates = [asked]
            startPath = asked
            isChosen = true
        } else {
            let location = SocketLocation(
                userID: userID,
                runtime: environment.directory("XDG_RUNTIME_DIR"),
                stateHome: environment.stateHome
            )
            candidates = location.paths
            isChosen = false
            startPath = userID == 0 || location.paths[0] != Self.systemPath ? location.paths[0] : nil
        }
        for path in candidates where path.utf8.count > Self.pathBytesMax {
            throw ClientError(
                .usage,
                "the socket path has \(path.utf8.count) bytes, but at most \(Self.pathBytesMax) are allowed: \(path)",
                hint: "Choose a shorter path with --socket or $SEARCHD_SOCKET."
            )
        }
    }
}

extension SocketPlan {
    enum Start: Equatable {
        case service
        /// Only root can start the service. A daemon of the user is not started, because it has another library.
        case serviceByRoot
        case own(String)
    }

    func start(userID: UInt32, hasService: Bool, isListening: Bool) -> Start? {
        let isSystem = !isChosen || startPath == Self.systemPath
        if userID == 0, hasService, isSystem { return .service }
        if hasService, !isListening, !isChosen { return .serviceByRoot }
        return isChosen ? nil : startPath.map { .own($0) }
    }
}

/// Decides whether other users could replace a socket.
enum SocketTrust {
    /// Returns a directory in which other users could replace the socket or a link to the socket, or nil.
    static func openDirectory(to path: String) -> String? {
        for path in [path, resolved(path)].compactMap(\.self) {
            var directory = PathFacts.parent(of: path)
            guard PathFacts(of: directory)?.othersMayAdd == false else { return directory }
            while directory != "/", directory != "." {
                directory = PathFacts.parent(of: directory)
                // In a sticky directory such as /tmp, only the owner of a file can replace the file.
                guard PathFacts(of: directory)?.othersMayReplace == false else { return directory }
            }
        }
        return nil
    }

    private static func resolved(_ path: String) -> String? {
        // Without a buffer, the call allocates the text. The text is copied, then freed.
        guard let text = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(text) }
        return unsafe String(cString: text)
    }
}

/// Says whose daemon this is: the system's, yours or another user's.
enum DaemonOwner {
    static func text(daemonUser: UInt32?, path: String, userID: UInt32) -> String {
        if path == SocketPlan.systemPath { return "the system's" }
        return daemonUser.map { $0 == userID ? "your" : "user \($0)'s" } ?? "your"
    }
}

enum UserName {
    private static let entryBytesMax = 16 << 10

    static func text(_ userID: UInt32) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: entryBytesMax)
        // The call fills the locals within the given size. The name is copied while the buffer exists.
        let status = unsafe getpwuid_r(userID, &entry, &buffer, buffer.count, &found)
        guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return String(userID) }
        return unsafe String(cString: name)
    }
}
