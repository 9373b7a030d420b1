import JSON

/// Between whom the sources are shared out fairly: users, and the programs of each.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    /// Whether it searches on the user's behalf: all agents of a user together get what one program gets.
    package let isAgent: Bool
    private let name: ExactText

    package init(userID: UInt32, program: String, isAgent: Bool = false) {
        self.userID = userID
        self.isAgent = isAgent
        name = ExactText(program)
    }

    /// As the client announced itself, else its process: its own word, which it may change as it likes.
    package var program: String { name.text }

    /// For calls that no client waits for.
    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
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
