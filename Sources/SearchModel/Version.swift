/// The versions of this build.
package enum Version {
    /// The version of the programs.
    package static let program = "0.1.0"
    /// The version of the contract between the daemon and clients.
    package static let wire = 1
}
