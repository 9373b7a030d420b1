/// Where a secret is to be read from.
enum SecretLocation: Equatable, Sendable {
    /// A file of systemd's credentials directory.
    case credential(String)
    case file(String)
    /// A variable of the environment.
    case environment(String)
    /// Written in the configuration itself.
    case value(String)
}
