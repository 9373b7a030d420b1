import HTTPMessage
import JSON
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
    /// The name as a form has it, with its `=`.
    private let formName: String

    init(name: String, templates: [Template]) {
        self.name = name
        self.templates = templates
        formName = PercentEncoding.encode(name) + "="
    }

    /// Appends a separator, the name and the text to a form; false, and nothing is appended, when it is left out.
    func append(to form: inout [UInt8], after separator: UInt8?, _ value: (Template.Variable) -> String?) -> Bool {
        let start = form.count
        if let separator { form.append(separator) }
        form.append(formName.utf8.span)
        for template in templates where template.append(to: &form, .form, value) { return true }
        form.removeLast(form.count - start)
        return false
    }

    /// The text as it is.
    func text(_ value: (Template.Variable) -> String?) -> String? {
        var text: [UInt8] = []
        for template in templates where template.append(to: &text, .plain, value) {
            return String(validated: text.span)
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
