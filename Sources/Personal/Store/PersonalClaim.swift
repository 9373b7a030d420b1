import EventLoop
import Storage

/// The directory with every user's file, claimed for this process at the first use of one.
///
/// Followers of one daemon would not be told of what another changes; so only one works in it.
package final class PersonalClaim: Sendable {
    private let directory: String
    private let claim = Locked<DirectoryClaim?>(nil)

    package init(_ directory: String) {
        self.directory = directory
    }

    func file(of userID: UInt32) -> String { "\(directory)/\(userID).sqlite" }

    /// Whether a user has a file, as a name at least.
    func hasFile(of userID: UInt32) -> Bool { PrivateFile.number(of: file(of: userID)) != nil }

    /// Makes sure that no other process works in it; on storage's loop.
    func hold() throws(StorageError) {
        if claim.withLock({ $0?.isInPlace == true }) { return }
        let taken = try DirectoryClaim(directory)
        claim.withLock { $0 = taken }
    }
}
