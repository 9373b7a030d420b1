/// Between whom the sources are shared out fairly: a user's program.
package struct ClientIdentity: Hashable, Sendable {
    package let userID: UInt32
    /// As the client announced itself, else its process.
    package let program: String

    package init(userID: UInt32, program: String) {
        self.userID = userID
        self.program = program
    }

    /// For calls that no client waits for.
    package static let daemon = ClientIdentity(userID: .max, program: "searchd")
}
