import JSON
package import SearchModel

/// One way to authenticate an account's requests; the first one whose secrets are all set is used.
package struct Access: Equatable, Sendable {
    package let name: String
    /// The required secrets; empty for a source without keys.
    package let secrets: [String]
    /// The scheme, host and port.
    package let base: String
    let headers: [Parameter]
    let parameters: [Parameter]
    /// Quota limits that replace the account's, by quota name.
    package let quotas: [String: Int]
}

/// A named text of a request: its first template that can be filled; omitted if none can.
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

extension Parameter {
    /// Reads `{name: template}`; a list of templates means the first that can be filled.
    static func all(_ declared: Declared) throws(CatalogueError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (name, value) in try declared.members() {
            let templates = value.all(value.part(try value.oneOrMore()), Template.init)
            parameters.append(Parameter(name: name, templates: templates))
        }
        return parameters
    }

    /// Reads header fields; rejects fields that the transport sets.
    static func headers(_ declared: Declared) throws(CatalogueError) -> [Parameter] {
        for (name, value) in try declared.members() {
            if name.isEmpty || !name.utf8.allSatisfy(isTokenByte) {
                value.note("\u{201C}\(name)\u{201D} is not a valid header name", hint: "Use letters, digits and -.")
            }
            if transportHeaders.contains(name.lowercased()) {
                value.note("is set by the transport", hint: "Leave \(name) out.")
            }
        }
        return try all(declared)
    }

    private static let transportHeaders = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}

/// A secret of an account, named as in the configuration.
package struct SecretSlot: Equatable, Sendable {
    package let name: String
    /// A description, and where to get it.
    package let about: String
}

/// An account's configuration: secrets by name, settings and an optional base URL.
package struct AccountAccess: Equatable, Sendable {
    package var secrets: [String: Secret] {
        didSet { redactor = Redactor(secrets.values) }
    }
    package var settings: [String: String]
    /// Changes to the account's quotas, by their names.
    package var quotas: [String: QuotaChange] = [:]
    /// Replaces the scheme, host and port of every request; trusted, since only the administrator sets it.
    package var baseURL: String?
    /// Masks secrets in responses; built once, since every response is searched.
    package private(set) var redactor: Redactor
    /// The command that stores a key; the account name follows it.
    package var keysCommand = SecretHint.keysCommand

    package init(secrets: [String: Secret] = [:], settings: [String: String] = [:], baseURL: String? = nil) {
        self.secrets = secrets
        self.settings = settings
        self.baseURL = baseURL
        redactor = Redactor(secrets.values)
    }

    package static func == (left: AccountAccess, right: AccountAccess) -> Bool {
        left.secrets == right.secrets && left.settings == right.settings && left.baseURL == right.baseURL
            && left.quotas == right.quotas
    }
}
