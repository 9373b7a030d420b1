package import HTTPMessage
package import SearchModel

extension Source {
    /// The request for one page; a sort that the source does not make becomes its own order.
    ///
    /// Throws `notConfigured` when a secret is missing, and `invalidParams` for a query or an option that the source
    /// would refuse.
    package func request(for page: PageRequest, account: AccountAccess) throws(SearchError) -> HTTPRequest {
        if let objection = queryRules.objection(to: page.query) {
            throw SearchError(
                .invalidParams,
                "\(name) can't take this query: \(objection)",
                source: name,
                retryable: false,
                hint: "change the query, or leave \(name) out",
                path: "params.query"
            )
        }
        let sort = sortWord(sortWords[page.sort] == nil ? .relevance : page.sort)
        let filling: (Template.Variable) -> String? = { variable in
            switch variable {
            case .query: page.query.text
            case .sort: sort
            case .page: String(paging.number(of: page.page))
            case .start: String(paging.start(of: page.page))
            case .size: String(paging.size)
            case .option(let name): optionText(name, page)
            case .key, .secret, .setting: nil
            }
        }
        return try build(request, account, filling)
    }

    /// The request for one hit, by what stands after the source in its id.
    ///
    /// Throws `notFound` when the source has no such call.
    package func lookupRequest(key: String, account: AccountAccess) throws(SearchError) -> HTTPRequest {
        guard let lookup else {
            throw SearchError(
                .notFound,
                "\(name) can't be asked for a single hit",
                source: name,
                retryable: false,
                hint: "search for it again"
            )
        }
        return try build(lookup.request, account) { variable in
            switch variable {
            case .key: key
            case .option(let name): options.first { $0.name == name }?.defaultValue
            default: nil
            }
        }
    }

    private func optionText(_ name: String, _ page: PageRequest) -> String? {
        page.options.first { $0.name == name }?.value ?? options.first { $0.name == name }?.defaultValue
    }

    private func build(
        _ shape: RequestShape,
        _ account: AccountAccess,
        _ filling: (Template.Variable) -> String?
    ) throws(SearchError) -> HTTPRequest {
        guard let access = access(with: account.secrets.keys) else { throw missingSecrets(account) }
        func value(_ variable: Template.Variable) -> String? {
            switch variable {
            case .secret(let name): account.secrets[name]?.reveal()
            case .setting(let name): account.settings[name] ?? settings.first { $0.name == name }?.defaultValue
            default: filling(variable)
            }
        }
        guard let path = shape.path[access.name]?.filled({ value($0).map { PercentEncoding.encode($0) } }) else {
            throw SearchError(.internal, "\(name) has no path for its access \(access.name)", source: self.name)
        }
        var form = ""
        for parameter in shape.parameters + access.parameters {
            guard let text = parameter.filled(value) else { continue }
            form +=
                (form.isEmpty ? "" : "&") + PercentEncoding.encode(parameter.name) + "=" + PercentEncoding.encode(text)
        }
        var fields = HTTPFields()
        for header in access.headers + shape.headers {
            if let text = header.filled(value) { fields[header.name] = try checked(text, header.name) }
        }
        let url = base(account, access) + path
        switch shape.method {
        case .get:
            return HTTPRequest(url: form.isEmpty ? url : url + (url.contains("?") ? "&" : "?") + form, fields: fields)
        case .post:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            return HTTPRequest(method: "POST", url: url, fields: fields, body: Array(form.utf8))
        }
    }

    /// The address before the path, without a slash at its end.
    private func base(_ account: AccountAccess, _ access: Access) -> String {
        guard let baseURL = account.baseURL else { return access.base }
        let filled = family.map { baseURL.replacing($0.place, with: $0.value) } ?? baseURL
        return filled.hasSuffix("/") ? String(filled.dropLast()) : filled
    }

    /// A header's value; one that would end the header is refused, whoever wrote it.
    private func checked(_ text: String, _ header: String) throws(SearchError) -> String {
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw SearchError(
                .notConfigured,
                "the value for the header \(header) has a control character",
                source: name,
                retryable: false,
                hint: "look for a line break at the end of the key's file"
            )
        }
        return text
    }

    private func missingSecrets(_ account: AccountAccess) -> SearchError {
        let wanted = (access.first?.secrets ?? []).filter { account.secrets[$0] == nil }
        return SearchError(
            .notConfigured,
            "\(name) needs a key that is not configured",
            source: name,
            retryable: false,
            hint: SecretHint.set(wanted, of: self.account)
        )
    }
}
