package import SearchModel

/// One way to sign requests of an account: the first one whose secrets are all there is taken.
package struct Access: Equatable, Sendable {
    package let name: String
    /// The secrets it needs; none for a source without keys.
    package let secrets: [String]
    /// Scheme, host and port.
    package let base: String
    let headers: [Parameter]
    let parameters: [Parameter]
}

/// A named text of a request: the first of its templates that can be filled; left out when none can.
struct Parameter: Equatable, Sendable {
    let name: String
    let templates: [Template]

    func text(_ value: (Template.Variable) -> String?) -> String? {
        for template in templates {
            if let text = template.filled(value) { return text }
        }
        return nil
    }
}

/// A secret that an account can have, by its name in the configuration.
package struct SecretSlot: Equatable, Sendable {
    package let name: String
    /// What it is and where to get it.
    package let about: String
}

/// What the configuration gives an account: its secrets by name, its settings, another address.
package struct AccountAccess: Equatable, Sendable {
    package var secrets: [String: Secret] {
        didSet { redactor = Redactor(secrets.values) }
    }
    package var settings: [String: String]
    /// Replaces scheme, host and port of every request; trusted, since only the administrator writes it.
    package var baseURL: String?
    /// Masks the secrets in answers; built once, since every answer is searched.
    package private(set) var redactor: Redactor
    /// Stores a key of the account that follows it.
    package var keysCommand = SecretHint.keysCommand

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
