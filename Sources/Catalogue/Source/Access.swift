import JSON
package import SearchModel

/// A way to authenticate an account; the first way whose secrets are all set is used.
package struct Access: Equatable, Sendable {
    package let name: String
    package let secrets: [String]
    /// The scheme, host and port.
    package let base: String
    let headers: [Parameter]
    let parameters: [Parameter]
    package let quotas: [String: Int]
}

/// A parameter or header field.
///
/// Its text is the first template whose values are all set. Without such a template, it is omitted.
struct Parameter: Equatable, Sendable {
    let name: String
    let templates: [Template]

    func text(_ value: (Template.Variable) -> String?) -> String? {
        templates.compactMap { $0.filled(value) }.first
    }

    init(_ name: String, _ declared: Declared) {
        self.name = name
        templates = declared.oneOrMore(Template.init)
    }

    static func header(_ name: String, _ declared: Declared) -> Parameter {
        if name.isEmpty || !name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }) {
            declared.note("\u{201C}\(name)\u{201D} is not a valid header name", hint: "Use letters, digits and -.")
        }
        if transportHeaders.contains(name.lowercased()) {
            declared.note("is set by searchd itself", hint: "Omit \(name).")
        }
        return Parameter(name, declared)
    }

    private static let transportHeaders = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "host", "te", "trailer",
        "transfer-encoding", "upgrade",
    ]
}

package struct SecretDeclaration: Equatable, Sendable {
    package let name: String
    package let about: String

    init(_ name: String, _ declared: Declared) {
        self.name = name
        // A wrong description must not make the secret unknown.
        about = declared.part(try declared.string("a description of the secret and where to get it")) ?? ""
    }
}

package struct AccountAccess: Sendable {
    /// For the keys of the system service, which only root can change.
    package static let systemKeysCommand = "sudo searchctl keys set --system"

    package var secrets: [String: Secret] {
        didSet { redactor = Redactor(secrets.values) }
    }
    package var settings: [String: String]
    package var quotas: [String: QuotaChange] = [:]
    /// Replaces the scheme, host and port of every request; only an administrator can set it.
    package var baseURL: String?
    package private(set) var redactor: Redactor
    package var keysCommand = "searchctl keys set"

    package init(secrets: [String: Secret] = [:], settings: [String: String] = [:], baseURL: String? = nil) {
        self.secrets = secrets
        self.settings = settings
        self.baseURL = baseURL
        redactor = Redactor(secrets.values)
    }
}
