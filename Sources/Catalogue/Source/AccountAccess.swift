package import SearchModel

/// What the configuration gives an account: its secrets by name, its settings, another address.
package struct AccountAccess: Equatable, Sendable {
    package var secrets: [String: Secret] {
        didSet { redactor = Redactor(secrets.values) }
    }
    package var settings: [String: String]
    /// Replaces scheme, host and port of every request; trusted, since only the administrator writes it.
    package var baseURL: String?
    /// Takes the secrets out of what comes back; made once, since every answer is looked through.
    package private(set) var redactor: Redactor

    package init(secrets: [String: Secret] = [:], settings: [String: String] = [:], baseURL: String? = nil) {
        self.secrets = secrets
        self.settings = settings
        self.baseURL = baseURL
        redactor = Redactor(secrets.values)
    }

    package static func == (left: AccountAccess, right: AccountAccess) -> Bool {
        left.secrets == right.secrets && left.settings == right.settings && left.baseURL == right.baseURL
    }
}
