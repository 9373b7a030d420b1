import EventLoop
import SearchModel

/// Who may do what concerns every user of the daemon; pure.
struct Administration: Sendable {
    /// The daemon's own user.
    let userID: UInt32
    /// The group that the configuration names.
    var groupID: UInt32?

    /// Root, the daemon's own user, and the members of the group may.
    ///
    /// - Parameters:
    ///   - peer: Who asks.
    ///   - groups: Asks the kernel for the peer's further groups.
    /// - Returns: Whether the peer may.
    func allows(_ peer: Peer, groups: () -> [UInt32]) -> Bool {
        if peer.userID == 0 || peer.userID == userID { return true }
        guard let groupID else { return false }
        return peer.groupID == groupID || groups().contains(groupID)
    }

    static let forbidden = SearchError(
        .forbidden,
        "only root, the daemon's own user and the members of its adminGroup may do this",
        retryable: false,
        hint: "Ask as root, with sudo."
    )
}
