/// The version of the programs, and the version of the protocol (`wire`).
package enum Version {
    package static let program = "0.1.0"
    package static let wire = 1
}
