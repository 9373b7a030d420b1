/// The versions of this build, the same in the daemon and the client.
package enum Version {
    /// Of the programs.
    package static let program = "0.1.0"
    /// Of the contract between daemon and clients.
    package static let wire = 1
}
