import EventLoop
package import Storage

/// The directory with every user's file, and the claim of this process on the state directory that it lies in.
///
/// Followers of one daemon would not be told of what another changes; so only one works there.
package final class PersonalClaim: Sendable {
    private let directory: String
    private let state: String
    private let claim = Locked<DirectoryClaim?>(nil)

    package init(_ directory: String, in state: String) {
        self.directory = directory
        self.state = state
    }

    func file(of userID: UInt32) -> String { "\(directory)/\(userID).sqlite" }

    /// Whether a user has a file, as a name at least.
    func hasFile(of userID: UInt32) -> Bool { PersonalFileNames(file: file(of: userID)).isKept }

    /// Makes sure that no other process works there; also when the claim was lost, as by removing the directory.
    ///
    /// - Throws: `inUse` when one does; else why the directory can't be written.
    package func hold() throws(StorageError) {
        if claim.withLock({ $0?.isInPlace == true }) { return }
        let taken = try DirectoryClaim(state)
        claim.withLock { $0 = taken }
    }

    /// Whether another process works there, and is not about to end.
    package var isTaken: Bool { DirectoryClaim.holder(of: state) != nil }

    /// Lets a successor know that this process is about to end.
    package func endsSoon() { claim.withLock { $0 }?.endsSoon() }
}
