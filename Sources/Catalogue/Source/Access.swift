import JSON
package import SearchModel

/// A way to authenticate an account's requests; the first way with a complete set of secrets is used.
package struct Access: Equatable, Sendable {
    package let name: String
    package let secrets: [String]
    /// The scheme, host and port.
    package let base: String
    let headers: [Parameter]
    let parameters: [Parameter]
    package let quotas: [String: Int]
}

/// A parameter or header field of a request.
///
/// Its value is the first template whose placeholders all have values. Without such a template, the parameter is
/// omitted.
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
    static func all(_ declared: Declared) throws(CatalogueError) -> [Parameter] {
        var parameters: [Parameter] = []
        for (name, value) in try declared.members() {
            let templates = value.all(value.part(try value.oneOrMore()), Template.init)
            parameters.append(Parameter(name: name, templates: templates))
        }
        return parameters
    }

    /// Reads header fields; a field that the HTTP client sets itself is a mistake.
    static func headers(_ declared: Declared) throws(CatalogueError) -> [Parameter] {
        for (name, value) in try declared.members() {
            if name.isEmpty || !name.utf8.allSatisfy(isTokenByte) {
                value.note("\u{201C}\(name)\u{201D} is not a valid header name", hint: "Use letters, digits and -.")
            }
            if transportHeaders.contains(name.lowercased()) {
                value.note("is set by searchd itself", hint: "Omit \(name).")
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

package struct SecretDeclaration: Equatable, Sendable {
    package let name: String
    package let about: String
}

/// The configuration of an account: its secrets, settings, changes of quotas and base URL.
package struct AccountAccess: Equatable, Sendable {
    package var secrets: [String: Secret] {
        didSet { redactor = Redactor(secrets.values) }
    }
    package var settings: [String: String]
    package var quotas: [String: QuotaChange] = [:]
    /// The trusted scheme, host and port that replace those of every request; only an administrator can set them.
    package var baseURL: String?
    package private(set) var redactor: Redactor
    /// The command that stores a key; the name of the account is appended.
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
