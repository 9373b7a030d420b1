import EventLoop
import SearchModel

/// Which user may call which method; pure.
struct Permissions: Sendable {
    /// The daemon's own user.
    let userID: UInt32
    /// Whether the kernel distinguishes all users; see `UserMap`.
    var distinguishesUsers = true
    /// The group of administrators that the configuration names.
    var adminGroupID: UInt32?

    /// Why a peer may not call methods of a permission; nil when it may.
    func refusal(of permission: MethodPermission, to peer: Peer, groups: () -> [UInt32]) -> SearchError? {
        switch permission {
        case .anyone: nil
        case .ownData: refusalOfOwnData(to: peer.userID)
        case .administrators: isAdministrator(peer, groups: groups) ? nil : Self.administratorsOnly
        }
    }

    /// Why a user may not use personal data; nil if the user may.
    func refusalOfOwnData(to userID: UInt32) -> SearchError? {
        distinguishesUsers || userID != UserMap.nobody ? nil : Self.userUnknown
    }

    /// Whether a peer is root, the daemon's own user or a member of the admin group.
    ///
    /// - Parameters:
    ///   - peer: The caller.
    ///   - groups: Asks the kernel for the peer's further groups.
    /// - Returns: Whether it is.
    func isAdministrator(_ peer: Peer, groups: () -> [UInt32]) -> Bool {
        if peer.userID == 0 || peer.userID == userID { return true }
        guard let adminGroupID else { return false }
        return peer.groupID == adminGroupID || groups().contains(adminGroupID)
    }

    private static let administratorsOnly = SearchError(
        .forbidden,
        "only root, the daemon's own user and the members of its adminGroup may do this",
        retryable: false,
        hint: "Ask as root, with sudo."
    )

    private static let userUnknown = SearchError(
        .forbidden,
        "the daemon can't distinguish users, because the kernel shows several users as one",
        retryable: false,
        hint: "Set PrivateUsers=identity or PrivateUsers=no with: systemctl edit searchd."
    )
}

extension Permissions {
    /// The permissions of this process.
    init(of surroundings: ProcessEnvironment, adminGroupID: UInt32?) {
        self.init(
            userID: surroundings.userID,
            distinguishesUsers: UserMap.distinguishesUsers,
            adminGroupID: adminGroupID
        )
    }
}

/// Which users of the machine this process can distinguish (/proc/self/uid_map); pure.
///
/// In a separate user namespace (systemd's PrivateUsers=yes) nearly all users look like one: “nobody”.
enum UserMap {
    static let path = "/proc/self/uid_map"
    /// The user that the kernel shows for a user outside the map.
    static let nobody: UInt32 = 65_534
    /// More than any system assigns; a namespace that maps this many users maps all relevant ones.
    private static let usersMin = 65_534

    /// Whether the map's ranges cover all users; also assumed if the map can't be read.
    static func distinguishesUsers(_ text: String) -> Bool {
        let counts = text.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        return counts.isEmpty || counts.reduce(0, +) >= usersMin
    }

    /// Whether this process can distinguish all users.
    static var distinguishesUsers: Bool {
        guard let file = try? SmallFile.read(path, bytesMax: 1 << 16) else { return true }
        return distinguishesUsers(String(decoding: file.bytes, as: UTF8.self))
    }
}
