/// The versions of the programs and of the protocol.
package enum Version {
    package static let program = "0.1.0"
    /// The version of the protocol between the daemon and clients.
    package static let wire = 1
}
