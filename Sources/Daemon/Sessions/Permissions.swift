import EventLoop
import SearchModel

/// Decides which user may call which method.
struct Permissions: Sendable {
    let userID: UInt32
    var distinguishesUsers = true
    var adminGroupID: UInt32?

    func refusal(of permission: MethodPermission, to peer: Peer, groups: () -> [UInt32]) -> SearchError? {
        switch permission {
        case .anyone: nil
        case .ownData: refusalOfOwnData(to: peer.userID)
        case .administrators: isAdministrator(peer, groups: groups) ? nil : Self.administratorsOnly
        }
    }

    func refusalOfOwnData(to userID: UInt32) -> SearchError? {
        distinguishesUsers || userID != UserMap.nobody ? nil : Self.userUnknown
    }

    func isAdministrator(_ peer: Peer, groups: () -> [UInt32]) -> Bool {
        if peer.userID == 0 || peer.userID == userID { return true }
        guard let adminGroupID else { return false }
        return peer.groupID == adminGroupID || groups().contains(adminGroupID)
    }

    private static let administratorsOnly = SearchError(
        .forbidden,
        "only root, the daemon's user and members of adminGroup may do this",
        retryable: false,
        hint: "Run the command as root, with sudo."
    )

    private static let userUnknown = SearchError(
        .forbidden,
        "the daemon can't distinguish users, because the kernel shows several users as one",
        retryable: false,
        hint: "Set PrivateUsers=identity or PrivateUsers=no with: systemctl edit searchd."
    )
}

extension Permissions {
    init(of surroundings: ProcessEnvironment, adminGroupID: UInt32?) {
        self.init(
            userID: surroundings.userID,
            distinguishesUsers: UserMap.distinguishesUsers,
            adminGroupID: adminGroupID
        )
    }
}

/// Decides from /proc/self/uid_map whether this process can distinguish the users of the machine.
enum UserMap {
    static let path = "/proc/self/uid_map"
    /// The ID that the kernel shows for every user outside the map.
    static let nobody: UInt32 = 65_534
    private static let usersMin = 65_534

    static func distinguishesUsers(_ text: String) -> Bool {
        let counts = text.split(separator: "\n").compactMap { line in
            line.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) }
        }
        return counts.isEmpty || counts.reduce(0, +) >= usersMin
    }

    static var distinguishesUsers: Bool {
        guard let file = try? SmallFile.read(path, bytesMax: 1 << 16) else { return true }
        return distinguishesUsers(String(decoding: file.bytes, as: UTF8.self))
    }
}
