/// Between whom the sources are shared out fairly: users, and the programs of each.
///
/// Identities are the same when their bytes are: comparing names as texts takes quadratic time for some that a client may
/// choose.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    /// As the client announced itself, else its process: its own word, which it may change as it likes.
    package let program: String

    package init(userID: UInt32, program: String) {
        self.userID = userID
        self.program = program
    }

    /// For calls that no client waits for.
    package static let daemon = ClientIdentity(userID: .max, program: "searchd")

    package static func == (left: ClientIdentity, right: ClientIdentity) -> Bool {
        left.userID == right.userID && left.program.utf8.elementsEqual(right.program.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(userID)
        for byte in program.utf8 { hasher.combine(byte) }
    }
}

/// How urgently a caller wants its answer.
package enum Priority: String, CaseIterable, Comparable, Sendable {
    /// Takes only what interactive callers leave.
    case background
    case interactive

    package static func < (left: Priority, right: Priority) -> Bool {
        left == .background && right == .interactive
    }

    /// Not by its text, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}
