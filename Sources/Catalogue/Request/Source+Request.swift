package import HTTP
import JSON
package import SearchModel

extension Source {
    /// Throws `notConfigured` if a secret is missing, `invalidParams` if the query is refused, and `notFound` if the
    /// source has no lookup.
    package func request(for page: PageRequest, account: AccountAccess) throws(SearchError) -> HTTPRequest {
        let shape: RequestShape
        if page.item == nil {
            if let refusal = queryRules.refusal(of: page.query, by: name) { throw refusal }
            shape = request
        } else {
            guard let lookup else { throw .noLookup(name) }
            shape = lookup.request
        }
        // The closure copies what it captures, so it does not capture the whole source.
        return try build(shape, account) { [paging, options, sortWords, queryRules, shared] variable in
            switch variable {
            case .query: queryRules.text(of: page.query)
            case .language: WritingSystem(page.query).ownLanguages.first ?? "en"
            case .key: page.item?.text
            case .sort: Self.word(for: page.sort, of: sortWords)
            case .page: String(paging.number(of: page.page))
            case .start: String(paging.start(of: page.page))
            case .size: String(paging.size)
            case .option(let name):
                page.options.first { $0.name == name }?.value ?? options.first { $0.name == name }?.defaultValue
            case .secret(let name): account.secrets[name]?.reveal()
            case .setting(let name):
                account.settings[name] ?? shared.settings.first { $0.name == name }?.defaultValue
            }
        }
    }

    /// Returns the source's word for `sort`, or its word for relevance if `sort` has none; nil if the word is empty.
    static func word(for sort: Sort, of words: [Sort: String]) -> String? {
        (words[sort] ?? words[.relevance]).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func build(
        _ shape: RequestShape,
        _ account: AccountAccess,
        _ value: (Template.Variable) -> String?
    ) throws(SearchError) -> HTTPRequest {
        if let error = missingSecrets(account) { throw error }
        guard let access = access(with: account.secrets.keys),
            let path = shape.path(for: access.name)?.filled(encodingValues: true, value)
        else { throw SearchError(.internal, "\(name) has no request path for the keys that are set", source: name) }
        let url = base(for: account, access) + path
        var fields = HTTPFields()
        for header in access.headers + shape.headers {
            if let text = header.text(value) { fields[header.name] = try checked(text, header.name) }
        }
        var pairs: [String] = []
        for parameter in shape.parameters + access.parameters {
            guard let text = parameter.text(value) else { continue }
            pairs.append("\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode(text))")
        }
        let separator = pairs.isEmpty ? "" : url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        let target = url + separator + pairs.joined(separator: "&")
        guard let body = shape.body else { return HTTPRequest(url: target, fields: fields) }
        fields["Content-Type"] = "application/json"
        let json = body.filled(value, isTyped: isTyped) ?? [:]
        return HTTPRequest(method: "POST", url: target, fields: fields, body: json.bytes)
    }

    private func isTyped(_ variable: Template.Variable) -> Bool {
        guard case .option(let name) = variable else { return [.page, .start, .size].contains(variable) }
        return options.first { $0.name == name }?.type.isTyped ?? false
    }

    private func base(for account: AccountAccess, _ access: Access) -> String {
        guard let baseURL = account.baseURL else { return access.base }
        let filled = family.map { baseURL.replacing($0.placeholder, with: $0.value) } ?? baseURL
        return filled.hasSuffix("/") ? String(filled.dropLast()) : filled
    }

    private func checked(_ text: String, _ header: String) throws(SearchError) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return text }
        let hint = "Check the file of the key for a line break at its end."
        let message = "the value for the header \(header) has a control character"
        throw SearchError(.notConfigured, message, of: name, hint: hint)
    }

    package func missingSecrets(_ account: AccountAccess) -> SearchError? {
        if shared.needsAddress, account.baseURL == nil {
            let hint = "Set accounts.\(self.account).baseURL in the configuration."
            return SearchError(.notConfigured, "\(name) needs the address of your server", of: name, hint: hint)
        }
        guard access(with: account.secrets.keys) == nil else { return nil }
        let wanted = (shared.access.first?.secrets ?? []).filter { account.secrets[$0] == nil }
        let names = wanted.map { "accounts.\(self.account).\($0)" }.joined(separator: " and ")
        let hint = "Run \(keyCommands(account)), or set \(names) in the configuration."
        return SearchError(.notConfigured, "\(name) needs a key that is not configured", of: name, hint: hint)
    }
}

extension SearchError {
    /// An error that a retry would not fix.
    init(_ kind: Kind, _ message: String, of source: SourceName, hint: String, path: String? = nil) {
        self.init(kind, message, source: source, retryable: false, hint: hint, path: path)
    }

    package static func noLookup(_ source: SourceName) -> SearchError {
        SearchError(.notFound, "\(source) cannot look up a single item", of: source, hint: "Search for the item again.")
    }
}
