import EventLoop
import Glibc
import SearchModel

/// Where a daemon may listen, and where one would be started; pure.
package struct SocketPlan: Equatable, Sendable {
    /// What a socket's address holds, without the byte that ends it.
    package static let pathBytesMax = 107
    package static let systemPath = SocketLocation.system

    /// The paths to try, in order.
    package let candidates: [String]
    /// Where a daemon would be started; nil when this user has no directory for one.
    package let startPath: String?
    /// Whether a path was asked for.
    let isChosen: Bool

    /// The plan of a command line and an environment.
    ///
    /// A path that was asked for is the only one; else the user's own, then the system's.
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
                "the socket path has \(path.utf8.count) bytes and may have \(Self.pathBytesMax): \(path)",
                hint: "Choose a shorter one with --socket or $SEARCHD_SOCKET."
            )
        }
    }
}

extension SocketPlan {
    /// How to start a daemon where none answers.
    enum Start: Equatable {
        /// Have systemd listen on the system's socket.
        case service
        /// Only root can: the service is stopped, and a daemon of the user's own would have other keys and another
        /// library.
        case serviceByRoot
        /// As a process of this user that listens there.
        case own(String)
    }

    /// How this user starts a daemon.
    ///
    /// - Parameters:
    ///   - userID: Root starts the service: a daemon of its own would lack the unit's confinement, keys and records.
    ///   - hasService: Whether systemd runs the machine and the system's socket is installed.
    ///   - isListening: Whether that socket is there, though not for this user.
    /// - Returns: How; nil when a socket was named, or this user has no directory for one.
    func start(userID: UInt32, hasService: Bool, isListening: Bool) -> Start? {
        let isSystem = !isChosen || startPath == Self.systemPath
        if userID == 0, hasService, isSystem { return .service }
        if hasService, !isListening, !isChosen { return .serviceByRoot }
        // A daemon that was started there with another configuration would get the usual one.
        return isChosen ? nil : startPath.map { .own($0) }
    }
}

/// The way that the kernel goes to a socket, and who else could have led it there.
enum SocketWay {
    /// How many links the kernel follows.
    private static let linksMax = 40

    /// The first directory on the way into which others could have put the socket, or a link that leads to it.
    ///
    /// A directory in one where only its owner may replace it, as in /tmp, is as good as that owner, whom the path
    /// names.
    /// - Returns: Nil when there is none; the directory also when it can't be looked at.
    static func openDirectory(to path: String) -> String? {
        var directory = path.hasPrefix("/") ? "/" : "."
        var rest = names(of: path)
        var linksLeft = linksMax
        while let name = rest.popLast() {
            guard let facts = PathFacts(of: directory) else { return directory }
            let entry = (directory == "/" ? "" : directory) + "/" + name
            let target = SystemCall.target(ofLink: entry).map { String(decoding: $0, as: UTF8.self) }
            let isPassage = target == nil && PathFacts(of: entry)?.isDirectory == true
            if isPassage ? facts.othersMayReplace : facts.othersMayAdd { return directory }
            guard let target else {
                directory = entry
                continue
            }
            linksLeft -= 1
            guard linksLeft > 0 else { return directory }
            if target.hasPrefix("/") { directory = "/" }
            rest += names(of: target)
        }
        return nil
    }

    /// The names on a path, the last one first.
    private static func names(of path: String) -> [Substring] {
        path.split(separator: "/").filter { $0 != "." }.reversed()
    }
}

/// Whose daemon answers: people may have one of their own beside the system's; pure.
enum DaemonOwner: Equatable {
    case own
    case system
    case other(UInt32)

    /// - Parameters:
    ///   - daemonUser: The daemon's user; nil when it does not tell.
    ///   - path: Where it answers.
    ///   - userID: Who asks.
    init(daemonUser: UInt32?, path: String, userID: UInt32) {
        switch daemonUser {
        case _ where path == SocketPlan.systemPath: self = .system
        case nil, userID: self = .own
        case let user?: self = .other(user)
        }
    }

    /// What to know of keys that are not the user's own.
    var keysLines: [String] { self == .own ? [] : ["These are the keys of \(text()) searchd."] }

    /// As in “your searchd”; `name` gives a user's name.
    func text(_ name: (UInt32) -> String = UserName.text) -> String {
        switch self {
        case .own: "your"
        case .system: "the system's"
        case .other(let user): "\(name(user))'s"
        }
    }
}

/// Users as people call them.
enum UserName {
    /// More than any entry of the machine's users takes.
    private static let entryBytesMax = 16 << 10

    /// The user's name; the number where no user of the machine has it.
    static func text(_ userID: UInt32) -> String {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: entryBytesMax)
        // The call fills the locals, of the size given; the name lies in the buffer and is copied before that goes.
        let status = unsafe getpwuid_r(userID, &entry, &buffer, buffer.count, &found)
        guard status == 0, unsafe found != nil, let name = unsafe entry.pw_name else { return String(userID) }
        return unsafe String(cString: name)
    }
}
