/// A secret that an account has a place for, under the name it has in the configuration.
package struct SecretSlot: Equatable, Sendable {
    package let name: String
    /// What it is and where to get it.
    package let about: String
}
