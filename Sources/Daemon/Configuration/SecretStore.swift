import Glibc

/// Where secrets lie that the configuration does not name: each in a file called `ACCOUNT.NAME`, as
/// `searchctl keys set` writes it.
///
/// The service manager's credentials come first, then the directories in their order.
struct SecretStore: Sendable {
    /// The prefix that systemd puts before the files of a directory of credentials.
    static let credentialPrefix = "keys_"

    let environment: [String: String]
    /// Absolute paths.
    let directories: [String]

    /// Whether keys are handed over by systemd to a service of the system, so that only root can change them.
    var isSystem: Bool { environment["CREDENTIALS_DIRECTORY"]?.hasPrefix("/run/credentials/") ?? false }

    /// The file of a secret, if there is one.
    func location(of slot: String, account: String) -> SecretLocation? {
        let name = "\(account).\(slot)"
        // Names that come from a user's source file lead to no other directory.
        guard !name.contains("/"), !name.hasPrefix("."), !name.utf8.contains(0) else { return nil }
        let credential = Self.credentialPrefix + name
        if let directory = environment["CREDENTIALS_DIRECTORY"], Self.exists("\(directory)/\(credential)") {
            return .credential(credential)
        }
        return directories.lazy.map { "\($0)/\(name)" }.first(where: Self.exists).map(SecretLocation.file)
    }

    /// Whether something is there; also when it can't be read, which then is a problem worth telling.
    private static func exists(_ path: String) -> Bool {
        var status = stat()
        // The kernel fills the local, which outlives the call, as the path does.
        return unsafe lstat(path, &status) == 0
    }
}

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
