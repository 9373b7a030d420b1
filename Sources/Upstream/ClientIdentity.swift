import JSON

/// The client of a call; users share sources fairly, and so do the programs of each user.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    private let name: ExactText

    package init(userID: UInt32, program: String) {
        self.userID = userID
        name = ExactText(program)
    }

    /// The name that the client announced, or else its process; the client may change it freely.
    package var program: String { name.text }

    /// For calls that no client waits for.
    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
}

/// How urgently a caller wants its answer.
package enum Priority: String, CaseIterable, Sendable {
    /// Uses only capacity that interactive callers leave.
    case background
    case interactive

    /// Avoids comparing the text, which takes several times as long.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(self == .interactive)
    }
}
