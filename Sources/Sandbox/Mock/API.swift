import JSON

/// One API, read from a file in `APIs`: request rules, errors, and the shape of its answers.
///
/// `Template`, `Rule`, `Endpoint` and `Search` explain the members.
struct API: Sendable {
    let name: String
    /// What the names of its sources begin with, before the point.
    let sourcePrefix: String
    /// The beginnings of its paths, under which it is also served without its name.
    let prefixes: [String]
    let rules: [Rule]
    let endpoints: [Endpoint]
    let errors: [String: ErrorRow]
    /// The error for a request that no endpoint takes, after the rules.
    let fallback: String
    let unknownSource: Template
    let contentType: Template
    let fields: [Template.Member]
    let body: Body
    let text: TextStyle
    let limits: [JSONMember]
    let quirks: [JSONMember]
    let entities: EntityTable?
    /// True when the first part of the path, `/ko/w/api.php`, is a language.
    let hasLanguages: Bool

    /// All APIs; a new one is a file and a line here.
    static let all: [API] = {
        let naver = ResourceFile.read("naver.json5", PackageResources.naver_json5)
        let hub = ResourceFile.read("naverhub.json5", PackageResources.naverhub_json5)
        return [
            API(ResourceFile.read("kakao.json5", PackageResources.kakao_json5)),
            API(naver),
            API(naver.merged(with: hub, deep: ["errors", "shapes", "defaults"])),
            API(ResourceFile.read("google.json5", PackageResources.google_json5)),
            API(ResourceFile.read("itunes.json5", PackageResources.itunes_json5)),
            API(ResourceFile.read("wikipedia.json5", PackageResources.wikipedia_json5)),
            API(ResourceFile.read("openlibrary.json5", PackageResources.openlibrary_json5)),
            API(ResourceFile.read("hackernews.json5", PackageResources.hackernews_json5)),
        ]
    }()

    init(_ file: JSONValue) {
        name = file["name"]?.string ?? ""
        sourcePrefix = file["sources"]?.string ?? name
        prefixes = file["paths"]?.array?.compactMap(\.string) ?? []
        rules = (file["rules"]?.array ?? []).map(Rule.init)
        let lets = file["lets"] ?? .object([])
        let defaults = (file["defaults"] ?? .object([])).merged(with: .object([JSONMember("lets", lets)]))
        let format = file["path"]?.string
        endpoints = (file["endpoints"]?.array ?? []).map { endpoint in
            let path = format?.replacing("{form}", with: endpoint["form"]?.string ?? "")
            let own = JSONValue.object(path.map { [JSONMember("path", .string($0))] } ?? [])
            return Endpoint(defaults.merged(with: own).merged(with: endpoint, deep: ["lets", "search"]))
        }
        let shapes = file["shapes"] ?? .null
        let rows = (file["errors"]?.members ?? []).map { ($0.name, ErrorRow($0.value, shapes)) }
        errors = Dictionary(uniqueKeysWithValues: rows)
        fallback = file["fallback"]?.string ?? ""
        unknownSource = Template(text: file["unknownSource"]?.string ?? "\(sourcePrefix).unknown")
        contentType = Template(file["type"] ?? .null)
        fields = (file["fields"]?.members ?? []).map(Template.Member.init)
        body = Body(file["style"])
        text = TextStyle(file["text"])
        limits = file["limits"]?.members ?? []
        quirks = file["quirks"]?.members ?? []
        entities = file["entities"].map(EntityTable.init)
        hasLanguages = file["hasLanguages"]?.bool ?? false
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
            members[index].value =
                deep.contains(member.name) ? members[index].value.merged(with: member.value) : member.value
        }
        return .object(members)
    }
}

/// One row of an error table: the answer that a rule gives, and that a fault calls for by name.
///
/// `[shape, status, a, b, c, …]`: the shape's templates use the other elements by these names.
struct ErrorRow: Sendable {
    let status: Int
    let arguments: [(name: String, value: Template)]
    let body: Template?
    let text: Template?
    let contentType: Template?
    let fields: [Template.Member]

    init(_ row: JSONValue, _ shapes: JSONValue) {
        let shape = shapes[row[0]?.string ?? ""] ?? .null
        status = row[1]?.int ?? 500
        arguments = zip("abcdefg", (row.array ?? []).dropFirst(2)).map { (String($0), Template($1)) }
        body = shape["body"].map { Template($0) }
        text = shape["text"].map { Template($0) }
        contentType = shape["type"].map { Template($0) }
        fields = (shape["fields"]?.members ?? []).map(Template.Member.init)
    }
}

/// A path, or the name of a source, in which `{name}` stands for any text.
struct Pattern: Sendable {
    private let literals: [String]
    private let names: [String]

    init(_ text: String) {
        var literals: [String] = []
        var names: [String] = []
        for (index, part) in text.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            let sides = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            if index > 0 { names.append(String(sides[0])) }
            literals.append(String(sides.last ?? ""))
        }
        (self.literals, self.names) = (literals, names)
    }

    /// The texts of the names; nil when the text does not match.
    func match(_ text: some StringProtocol) -> [String: String]? {
        var rest = Substring(text)
        guard rest.hasPrefix(literals[0]) else { return nil }
        rest = rest.dropFirst(literals[0].count)
        var values: [String: String] = [:]
        for (name, literal) in zip(names, literals.dropFirst()) {
            guard !literal.isEmpty else {
                values[name] = String(rest)
                rest = ""
                continue
            }
            guard let range = rest.ranges(of: literal).last else { return nil }
            values[name] = String(rest[..<range.lowerBound])
            rest = rest[range.upperBound...]
        }
        return rest.isEmpty ? values : nil
    }
}
