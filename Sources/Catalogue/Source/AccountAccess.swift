package import SearchModel

/// What the configuration gives an account: its secrets by name, its settings, another address.
package struct AccountAccess: Equatable, Sendable {
    package var secrets: [String: Secret]
    package var settings: [String: String]
    /// Replaces scheme, host and port of every request; trusted, since only the administrator writes it.
    package var baseURL: String?

    package init(secrets: [String: Secret] = [:], settings: [String: String] = [:], baseURL: String? = nil) {
        self.secrets = secrets
        self.settings = settings
        self.baseURL = baseURL
    }
}
