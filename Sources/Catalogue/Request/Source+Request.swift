package import HTTPMessage
import JSON
package import SearchModel

extension Source {
    /// What most addresses fit in.
    private static let urlBytesUsual = 256

    /// The request for one page, or for one item; a sort that the source does not make becomes its own order.
    ///
    /// Throws `notConfigured` when a secret is missing, `invalidParams` for a query or an option that the source would
    /// refuse, and `notFound` for an item of a source that has no such call.
    package func request(for page: PageRequest, account: AccountAccess) throws(SearchError) -> HTTPRequest {
        if let item = page.item { return try request(for: item, account) }
        if let refusal = queryRules.refusal(of: page.query, by: name) { throw refusal }
        // What is captured is copied: of the source only what is needed.
        return try build(request, account) { [paging, options, sortWords] variable in
            switch variable {
            case .query: page.query.text
            case .sort: Self.word(for: page.sort, of: sortWords)
            case .page: String(paging.number(of: page.page))
            case .start: String(paging.start(of: page.page))
            case .size: String(paging.size)
            case .option(let name): Self.text(of: name, page.options, options)
            case .key, .secret, .setting: nil
            }
        }
    }

    private func request(for item: ItemKey, _ account: AccountAccess) throws(SearchError) -> HTTPRequest {
        guard let lookup else { throw .noLookup(name) }
        return try build(lookup.request, account) { [options] variable in
            switch variable {
            case .key: item.text
            case .option(let name): Self.text(of: name, [], options)
            default: nil
            }
        }
    }

    /// The source's word for an order, or for its own where it does not make that one; nil when none is needed.
    static func word(for sort: Sort, of words: [Sort: String]) -> String? {
        (words[sort] ?? words[.relevance]).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The text for an option: the caller's, or the usual one.
    private static func text(of name: String, _ options: [Option], _ specs: [OptionSpec]) -> String? {
        options.first { $0.name == name }?.value ?? specs.first { $0.name == name }?.defaultValue
    }

    private func build(
        _ shape: RequestShape,
        _ account: AccountAccess,
        _ filling: (Template.Variable) -> String?
    ) throws(SearchError) -> HTTPRequest {
        guard let access = access(with: account.secrets.keys) else { throw missingSecrets(account) }
        let value: (Template.Variable) -> String? = { [secrets = account.secrets, given = account.settings, settings] in
            switch $0 {
            case .secret(let name): secrets[name]?.reveal()
            case .setting(let name): given[name] ?? settings.first { $0.name == name }?.defaultValue
            default: filling($0)
            }
        }
        var url: [UInt8] = []
        url.reserveCapacity(Self.urlBytesUsual)
        append(baseFor: account, access, to: &url)
        guard let path = shape.path[access.name], path.append(to: &url, .path, value) else {
            throw SearchError(.internal, "\(name) has no path for its access \(access.name)", source: self.name)
        }
        var fields = HTTPFields()
        for headers in [access.headers, shape.headers] where !headers.isEmpty {
            for header in headers {
                if let text = header.text(value) { fields[header.name] = try checked(text, header.name) }
            }
        }
        switch shape.method {
        case .get:
            let hasQuery = url.span.index(of: UInt8(ascii: "?"), from: 0) < url.count
            Self.append(shape, access, to: &url, after: hasQuery ? UInt8(ascii: "&") : UInt8(ascii: "?"), value)
            return HTTPRequest(url: String(validated: url.span), fields: fields)
        case .post:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            var form: [UInt8] = []
            Self.append(shape, access, to: &form, after: nil, value)
            return HTTPRequest(method: "POST", url: String(validated: url.span), fields: fields, body: form)
        }
    }

    /// Appends the parameters, the first of them after a separator.
    private static func append(
        _ shape: RequestShape,
        _ access: Access,
        to form: inout [UInt8],
        after separator: UInt8?,
        _ value: (Template.Variable) -> String?
    ) {
        var separator = separator
        for parameter in shape.parameters where parameter.append(to: &form, after: separator, value) {
            separator = UInt8(ascii: "&")
        }
        for parameter in access.parameters where parameter.append(to: &form, after: separator, value) {
            separator = UInt8(ascii: "&")
        }
    }

    /// Appends the address before the path, without a slash at its end.
    private func append(baseFor account: AccountAccess, _ access: Access, to url: inout [UInt8]) {
        guard let baseURL = account.baseURL else { return url.append(access.base.utf8.span) }
        let filled = family.map { baseURL.replacing($0.placeholder, with: $0.value) } ?? baseURL
        url.append(filled.utf8.span)
        if url.last == UInt8(ascii: "/") { url.removeLast() }
    }

    /// A header's value; one with a line end or another control character is refused.
    private func checked(_ text: String, _ header: String) throws(SearchError) -> String {
        let bytes = text.utf8.span
        for offset in bytes.indices where bytes[offset] < 0x20 || bytes[offset] == 0x7F {
            throw SearchError(
                .notConfigured,
                "the value for the header \(header) has a control character",
                source: name,
                retryable: false,
                hint: "Look for a line break at the end of the key's file."
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
            hint: SecretHint.set(wanted, of: self.account, keyWays(account), with: account.keysCommand)
        )
    }
}

extension SearchError {
    /// For one item of a source that has no call for it.
    package static func noLookup(_ source: SourceName) -> SearchError {
        SearchError(
            .notFound,
            "\(source) can't be asked for a single item",
            source: source,
            retryable: false,
            hint: "Search for it again."
        )
    }
}
