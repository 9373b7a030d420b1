/// What all sources of an account share: how requests are signed, what errors mean, limits and quotas.
struct AccountDeclaration: Sendable {
    /// The keys of an account, in its own file or in a source's `account`.
    static let keys = [
        "title", "attribution", "secrets", "settings", "access", "errors", "errorText", "limits", "quotas", "ttl",
        "negativeTTL", "redirects",
    ]

    let name: String
    /// Where it is declared: a family's file may declare it again for every member.
    let file: String
    let attribution: String?
    let secrets: [SecretSlot]
    let settings: [OptionSpec]
    let access: [Access]
    let errors: [ErrorRule]
    let errorText: [FieldPath]
    let limits: Limits
    let quotas: [Quota]
    let ttl: Duration?
    let negativeTTL: Duration?
    let redirectHosts: [String]
    let trust: Trust

    init(name: String, _ object: DeclaredObject, trust: Trust) throws(CatalogueError) {
        self.name = name
        file = object.declared.file
        self.trust = trust
        let whole = object.declared
        attribution = whole.optional(try object["attribution"]?.string())
        var secrets: [SecretSlot] = []
        for (name, about) in whole.members(of: object["secrets"]) {
            let text = whole.part(try about.string("what the secret is and where to get it"))
            secrets.append(SecretSlot(name: name, about: text ?? ""))
        }
        self.secrets = secrets
        settings = whole.optional(try object["settings"]?.optionSpecs()) ?? []
        errors = whole.optional(try object["errors"]?.errorRules()) ?? []
        errorText = whole.optional(try object["errorText"]?.fieldPaths()) ?? []
        limits = whole.optional(try object["limits"]?.limits()) ?? Limits()
        quotas = whole.optional(try object["quotas"]?.quotas()) ?? []
        ttl = whole.optional(try object["ttl"]?.duration())
        negativeTTL = whole.optional(try object["negativeTTL"]?.duration())
        redirectHosts = whole.optional(try object["redirects"]?.redirectHosts(trust)) ?? []
        let known = secrets.map(\.name)
        access = whole.all(try object.required("access").oneOrMore()) { one throws(CatalogueError) in
            try one.access(secrets: known, trust)
        }
    }
}

extension Declared {
    /// One way to sign requests.
    fileprivate func access(secrets known: [String], _ trust: Trust) throws(CatalogueError) -> Access {
        let object = try fields(["name", "secrets", "base", "headers", "parameters"])
        let needed = all(optional(try object["secrets"]?.oneOrMore())) { secret throws(CatalogueError) in
            let name = try secret.string()
            guard known.contains(name) else {
                throw secret.error(
                    "\u{201C}\(name)\u{201D} is no secret of the account",
                    hint: "declare it under secrets"
                )
            }
            return name
        }
        let name = optional(try object["name"]?.string()) ?? ""
        let headers = optional(try object["headers"]?.headers()) ?? []
        let parameters = optional(try object["parameters"]?.parameters()) ?? []
        let base = try object.required("base").base(trust)
        return Access(name: name, secrets: needed, base: base, headers: headers, parameters: parameters)
    }

    /// Hosts to which a redirect may lead, within what the author of the file may reach.
    fileprivate func redirectHosts(_ trust: Trust) throws(CatalogueError) -> [String] {
        all(try oneOrMore()) { host throws(CatalogueError) in
            let text = try host.string("a host such as www.example.org").lowercased()
            if case .user(let allowedHosts) = trust, !allowedHosts.contains(text),
                let objection = HostPolicy.objection(to: text)
            {
                throw host.error("may not be asked: \(objection)", hint: "name a public host")
            }
            return text
        }
    }

    /// Scheme, host and port, within what the author of the file may reach.
    private func base(_ trust: Trust) throws(CatalogueError) -> String {
        let text = try string("an address such as https://api.example.org")
        guard let address = WebAddress(text), !text.hasSuffix("/"), !text.contains("?"), !text.contains("#") else {
            throw error("is no address to ask", hint: "write scheme and host, as https://api.example.org")
        }
        guard case .user(let allowedHosts) = trust, !allowedHosts.contains(address.host) else { return text }
        guard address.isSecure else {
            throw error(
                "is not https",
                hint: "use https, or write allowedHosts: [\"\(address.host)\"] in the configuration"
            )
        }
        if let objection = HostPolicy.objection(to: address.host) {
            throw error(
                "may not be asked: \(objection)",
                hint: "name a public host, or write allowedHosts: [\"\(address.host)\"] in the configuration"
            )
        }
        return text
    }
}
