import CPlatform

/// Who is on the other side of a Unix socket, as the kernel saw it when the connection was made.
package struct Peer: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32

    package init(processID: Int32, userID: UInt32, groupID: UInt32) {
        self.processID = processID
        self.userID = userID
        self.groupID = groupID
    }

    /// Asks the kernel by SO_PEERCRED.
    package init(of descriptor: Int32) throws(SystemError) {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
        // The three locals outlive the call that fills them.
        guard unsafe platform_peer(descriptor, &process, &user, &group) == 0 else {
            throw SystemError.last("getsockopt SO_PEERCRED")
        }
        self.init(processID: process, userID: user, groupID: group)
    }

    /// The further groups of the process on the other side, as many as the kernel tells; none when it tells nothing.
    package static func groups(of descriptor: Int32) -> [UInt32] {
        var groups = [UInt32](repeating: 0, count: groupsMax)
        // The kernel fills at most the array's length, during the call.
        let count = unsafe platform_peer_groups(descriptor, &groups, Int32(groups.count))
        return Array(groups.prefix(max(0, Int(count))))
    }

    /// More than any user has; a user with more counts as having none.
    private static let groupsMax = 1024
}
