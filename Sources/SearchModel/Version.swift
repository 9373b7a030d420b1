/// Which versions this is; daemon and client come from one build and say the same.
package enum Version {
    /// Of the programs.
    package static let program = "0.1.0"
    /// Of the contract between daemon and clients.
    package static let wire = 1
}
