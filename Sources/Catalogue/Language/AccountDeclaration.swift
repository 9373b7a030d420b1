import SearchModel

/// The declaration of an account in a source file; all sources of the account share it.
package final class AccountDeclaration: Sendable {
    static let keys = [
        "title", "attribution", "secrets", "settings", "access", "errors", "errorText", "limits", "quotas", "ttl",
        "negativeTTL", "redirects", "needsAddress",
    ]

    let file: String
    let attribution: String?
    package let secrets: [SecretDeclaration]
    package let settings: [OptionSpec]
    package let access: [Access]
    /// Whether the configuration must set the server's address.
    package let needsAddress: Bool
    let errors: [ErrorRule]
    let errorText: [FieldPath]
    package let limits: Limits
    let quotas: [Quota]
    let ttl: Duration?
    let negativeTTL: Duration?
    /// Redirects may lead to these hosts, which get no secrets.
    package let redirectHosts: [String]
    let trust: Trust

    init(_ object: DeclaredObject) throws(CatalogueError) {
        file = object.declared.file
        trust = object.declared.mistakes.trust
        let whole = object.declared
        attribution = whole.part(try object["attribution"]?.string())
        let secrets = object["secrets"]?.each(SecretDeclaration.init) ?? []
        self.secrets = secrets
        settings = object["settings"]?.each(OptionSpec.init) ?? []
        needsAddress = whole.part(try object["needsAddress"]?.bool()) ?? false
        errors = object["errors"]?.each(ErrorRule.init) ?? []
        errorText = object["errorText"]?.oneOrMore(FieldPath.init) ?? []
        limits = whole.part(try object["limits"].map(Limits.init)) ?? Limits()
        quotas = object["quotas"]?.each(Quota.init) ?? []
        ttl = whole.part(try object["ttl"]?.duration())
        negativeTTL = whole.part(try object["negativeTTL"]?.duration())
        redirectHosts = object["redirects"]?.oneOrMore { host throws(CatalogueError) in try host.host() } ?? []
        let (secretNames, quotaNames) = (secrets.map(\.name), quotas.map(\.name))
        access = try object.required("access").oneOrMore { one throws(CatalogueError) in
            try Access(one, secrets: secretNames, quotas: quotaNames)
        }
    }
}

extension Access {
    fileprivate init(_ declared: Declared, secrets known: [String], quotas names: [String]) throws(CatalogueError) {
        let object = try declared.fields(["name", "secrets", "base", "headers", "parameters", "quotas"])
        let secrets = object["secrets"]?.oneOrMore { secret throws(CatalogueError) in
            let name = try secret.string()
            if known.contains(name) { return name }
            let message = "\u{201C}\(name)\u{201D} is not a secret of the account"
            throw secret.error(message, hint: "Declare it under secrets.")
        }
        self.secrets = secrets ?? []
        name = declared.part(try object["name"]?.string()) ?? ""
        headers = object["headers"]?.each(Parameter.header) ?? []
        parameters = object["parameters"]?.each(Parameter.init) ?? []
        let limits = object["quotas"]?.each { name, limit throws(CatalogueError) in
            if names.contains(name) { return (name, try limit.integer(in: 1...1_000_000_000_000)) }
            let hint = NearestName.hint(for: name, among: names)
            throw limit.error("the account has no quota \u{201C}\(name)\u{201D}", hint: hint)
        }
        quotas = Dictionary(limits ?? [], uniquingKeysWith: { $1 })
        base = try object.required("base").base()
    }
}

extension Declared {
    fileprivate func host() throws(CatalogueError) -> String {
        let text = try string("a host such as www.example.org").lowercased()
        if !mistakes.trust.allows(text), let objection = HostPolicy.objection(to: text) {
            throw error("is not allowed: \(objection)", hint: "Use a public host.")
        }
        return text
    }

    /// A user's file may use http, or a host that is not public, only if the configuration allows the host.
    fileprivate func base() throws(CatalogueError) -> String {
        let text = try string("an address such as https://api.example.org")
        guard let address = WebAddress(text) else {
            throw error("is not a valid base address", hint: "Write scheme and host, such as https://api.example.org.")
        }
        guard URLParts(text.utf8.span).path == text.utf8.count else {
            throw error("has a path", hint: "Write only scheme and host, and write the path in request.path.")
        }
        guard !mistakes.trust.allows(address.host) else { return text }
        let setting = "write allowedHosts: [\"\(address.host)\"] in the configuration."
        guard address.isSecure else { throw error("is not https", hint: "Use https, or \(setting)") }
        if let objection = HostPolicy.objection(to: address.host) {
            throw error("is not allowed: \(objection)", hint: "Use a public host, or \(setting)")
        }
        return text
    }
}
