import JSON

/// A mock API, read from a file in `APIs`: its endpoints, rules, errors and templates.
struct API: Sendable {
    let name: String
    let account: String
    /// Paths with these beginnings do not need the name of the API in the URL.
    let prefixes: [String]
    /// Sets `variable` to the value of the header `field`, without `prefix` at its beginning.
    let headers: [(variable: String, field: String, prefix: String)]
    let keys: String
    let rules: [Rule]
    let endpoints: [Endpoint]
    /// An error is an array `[shape, status, a, b, c, …]`.
    ///
    /// The template of the shape uses a, b, c and so on.
    let errors: [String: JSONValue]
    let shapes: JSONValue
    let fallback: String
    let contentType: String
    let style: TextStyle
    let limits: [JSONMember]
    /// How much an estimated total may exceed the true total, in hundredths of a percent.
    let drift: Int
    let hasLanguages: Bool
    let isXML: Bool

    static let all: [API] = {
        let naver = ResourceFile.read("naver.json5", PackageResources.naver_json5)
        let keyless = ResourceFile.read("keyless.json5", PackageResources.keyless_json5)
        let paid = ResourceFile.read("paid.json5", PackageResources.paid_json5)
        return [
            API(ResourceFile.read("kakao.json5", PackageResources.kakao_json5)),
            API(naver),
            API(naver.merged(with: naver["hub"] ?? .null, deep: ["errors"])),
            API(ResourceFile.read("google.json5", PackageResources.google_json5)),
            API(ResourceFile.read("itunes.json5", PackageResources.itunes_json5)),
            API(ResourceFile.read("wikipedia.json5", PackageResources.wikipedia_json5)),
            API(ResourceFile.read("openlibrary.json5", PackageResources.openlibrary_json5)),
            API(ResourceFile.read("hackernews.json5", PackageResources.hackernews_json5)),
        ] + ((keyless["apis"]?.array ?? []) + (paid["apis"]?.array ?? [])).map(API.init)
    }()

    init(_ file: JSONValue) {
        let name = file["name"]?.string ?? ""
        self.name = name
        account = file["account"]?.string ?? name
        prefixes = file["paths"]?.array?.compactMap(\.string) ?? []
        headers = (file["headers"]?.members ?? []).map { header in
            (header.name, header.value[0]?.string ?? "", header.value[1]?.string ?? "")
        }
        keys = file["keys"]?.string ?? ""
        rules = (file["rules"]?.array ?? []).map(Rule.init)
        let lets = JSONValue.object([JSONMember("lets", file["lets"] ?? .null)])
        let defaults = (file["defaults"] ?? .null).merged(with: lets)
        endpoints = (file["endpoints"]?.array ?? []).map { own in
            let path = file["path"]?.string?.replacing("FORM", with: own["form"]?.string ?? "")
            let usual = path.map { defaults.merged(with: .object([JSONMember("path", .string($0))])) } ?? defaults
            return Endpoint(usual.merged(with: own, deep: ["lets", "record"]))
        }
        errors = Dictionary(uniqueKeysWithValues: (file["errors"]?.members ?? []).map { ($0.name, $0.value) })
        shapes = file["shapes"] ?? .null
        fallback = file["fallback"]?.string ?? "notFound"
        contentType = file["type"]?.string ?? ""
        style = TextStyle(file)
        limits = file["limits"]?.members ?? []
        drift = file["drift"]?.int ?? 0
        hasLanguages = file["hasLanguages"]?.bool ?? false
        isXML = file["isXML"]?.bool ?? false
    }
}

/// One kind of request that an API answers.
struct Endpoint: Sendable {
    /// The kind of documents; endpoints with the same form search the same documents.
    let form: String
    let path: Pattern
    let parameters: [(name: String, pattern: Pattern)]
    let constants: [String: JSONValue]
    let rules: [Rule]
    let source: Template
    let sourcePattern: Pattern
    let body: Template
    let record: Template?
    let lets: [String: [Template.Member]]
    /// The id of a document, for tests that fetch all pages of a list.
    let identity: Template
    /// How an endpoint searches.
    ///
    /// - `parameter` is the parameter with the query. `usual` is the default query. `keep` lists further parameters.
    /// - `pages` lists the parameter of the page number, the lowest page number, and the parameter of the page size.
    /// - `items` is like `pages`, with the number of the first item instead of the page number.
    /// - With `repeatsLast`, a page after the end returns the last page.
    let search: JSONValue?
    /// How an endpoint finds one document: `id` is the parameter, and `radix` is the base of the number.
    let lookup: JSONValue?
    private let members: JSONValue

    init(_ value: JSONValue) {
        let source = value["source"]?.string ?? ""
        form = value["form"]?.string ?? ""
        path = Pattern(value["path"]?.string ?? "")
        parameters = (value["when"]?.members ?? []).map { ($0.name, Pattern($0.value.string ?? "")) }
        let plain = (value.members ?? []).filter { member in
            member.value.array == nil && member.value.members == nil && !["path", "source"].contains(member.name)
        }
        constants = Dictionary(uniqueKeysWithValues: plain.map { ($0.name, $0.value) })
        rules = (value["rules"]?.array ?? []).map(Rule.init)
        self.source = Template(text: source)
        sourcePattern = Pattern(source)
        body = Template(value["body"] ?? .null)
        record = value["record"].flatMap { $0.isNull ? nil : Template($0) }
        lets = Dictionary(grouping: (value["lets"]?.members ?? []).map(Template.Member.init), by: \.name)
        precondition(lets.keys.allSatisfy { Function(rawValue: $0) == nil }, "a value has the name of a function")
        identity = Template(text: value["identity"]?.string ?? "")
        lookup = value["lookup"]
        search = lookup == nil && value["share"] != nil ? value["search"] : nil
        members = value
    }

    subscript(name: String) -> JSONValue? { members[name] }

    var sortParameter: String { search?["sort"]?.string ?? "sort" }
    var sorts: [JSONMember] { self["sorts"]?.members ?? [] }
}

/// Alternatives separated by `|`.
///
/// Each alternative has at most one `{name}`, which matches any text.
struct Pattern: Sendable {
    private let alternatives: [(prefix: String, name: String?, suffix: String)]

    init(_ text: String) {
        alternatives = text.split(separator: "|", omittingEmptySubsequences: false).map { part in
            guard let open = part.firstIndex(of: "{"), let close = part.firstIndex(of: "}") else {
                return (String(part), nil, "")
            }
            let name = part[open..<close].dropFirst()
            return (String(part[..<open]), String(name), String(part[close...].dropFirst()))
        }
    }

    func match(_ text: String) -> [String: String]? {
        for (prefix, name, suffix) in alternatives {
            guard let name else {
                if text == prefix { return [:] }
                continue
            }
            let length = prefix.utf8.count + suffix.utf8.count
            guard text.utf8.count > length, text.hasPrefix(prefix), text.hasSuffix(suffix) else { continue }
            return [name: String(text.dropFirst(prefix.count).dropLast(suffix.count))]
        }
        return nil
    }
}

extension JSONValue {
    func merged(with other: JSONValue, deep: Set<String> = []) -> JSONValue {
        var members = self.members ?? []
        for member in other.members ?? [] {
            guard let index = members.firstIndex(where: { $0.name == member.name }) else {
                members.append(member)
                continue
            }
            let isDeep = deep.contains(member.name) && member.value.members != nil
            members[index].value = isDeep ? members[index].value.merged(with: member.value) : member.value
        }
        return .object(members)
    }
}
