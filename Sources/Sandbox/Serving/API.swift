import JSON

/// One API, read from a file in `APIs`: request rules, errors, and the shape of its answers.
struct API: Sendable {
    let name: String
    /// The first part of its sources' names, before the dot.
    let account: String
    /// The beginnings of its paths, under which it is also served without its name.
    let prefixes: [String]
    /// Variables from header fields: what follows a prefix in the field.
    let headers: [(variable: String, field: String, prefix: String)]
    /// The name of its keys in the options.
    let keys: String
    let rules: [Rule]
    let endpoints: [Endpoint]
    /// The answers that rules give and that faults call for by name.
    ///
    /// `[shape, status, a, b, c, …]`: the shape's templates use the other elements by these names.
    let errors: [String: JSONValue]
    let shapes: JSONValue
    /// The error for a request that no endpoint takes, after the rules.
    let fallback: String
    let contentType: String
    let style: TextStyle
    let limits: [JSONMember]
    /// By how many ten-thousandths totals are too high at most.
    let drift: Int
    /// True when the first part of the path, `/ko/w/api.php`, is a language.
    let hasLanguages: Bool
    /// Whether bodies are XML instead of JSON.
    let isXML: Bool

    /// All APIs; a new one is a file and a line here, or an object in `keyless.json5` or `paid.json5`.
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
        fallback = file["fallback"]?.string ?? ""
        contentType = file["type"]?.string ?? ""
        style = TextStyle(file)
        limits = file["limits"]?.members ?? []
        drift = file["drift"]?.int ?? 0
        hasLanguages = file["hasLanguages"]?.bool ?? false
        isXML = file["isXML"]?.bool ?? false
    }
}

/// One kind of request to an API, and what answers it.
struct Endpoint: Sendable {
    /// The API's name for the endpoint's documents.
    let form: String
    let path: Pattern
    /// What parameters must be.
    let parameters: [(name: String, pattern: Pattern)]
    /// Its own plain members, which templates and rules use by name.
    let constants: [String: JSONValue]
    let rules: [Rule]
    let source: Template
    let sourcePattern: Pattern
    let body: Template
    let record: Template?
    let lets: [String: [Template.Member]]
    /// What identifies a record, for the list that a walk must find.
    let identity: Template
    /// How it finds documents, for an endpoint that searches.
    ///
    /// `parameter` has the words, and `usual` the words to use without it; `keep` names further parameters that select
    /// documents. `pages` or `items` has the parameter with the first page or item, its first number, and the
    /// parameter with the size; with `repeatsLast` a page past the end is the last one again. `walk` has the parameters
    /// of the list that a walk must find. Of the endpoint itself, `share` says how many of all documents the source
    /// knows, `ceiling` how many of these can be reached, `sorts` the words of the parameter `sort`.
    let search: JSONValue?
    /// How it finds a document: `id` has the parameter with the id, `radix` the base of its number; `missing` is the error
    /// when there is nothing, `missingItem` an item in its place.
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

    /// The parameter with the order, and its words.
    var sortParameter: String { search?["sort"]?.string ?? "sort" }
    var sorts: [JSONMember] { self["sorts"]?.members ?? [] }
}

/// Alternatives separated by `|`, each with at most one `{name}`, which matches any text.
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

    /// The texts of the names; nil when the text does not match.
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
    /// The members of both objects; the other's replace those of the same name, or are merged with them.
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
