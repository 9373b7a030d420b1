import JSON

/// One kind of request to an API, and what answers it.
struct Endpoint: Sendable {
    /// What the endpoint's documents are called within the API.
    let form: String
    let path: Pattern?
    /// What parameters must be; nil when one must be absent.
    let parameters: [(name: String, pattern: Pattern?)]
    /// Its own plain members, which templates and rules use by name.
    let constants: [String: JSONValue]
    let rules: [Rule]
    let source: Template
    private let sourcePattern: Pattern
    /// Replaces the API's header fields.
    let fields: [Template.Member]?
    let body: Template
    let record: Template?
    let lets: [String: Template]
    /// What identifies a record, for the list that a walk must find.
    let identity: Template
    let search: Search?
    let lookup: Lookup?

    init(_ value: JSONValue) {
        let source = value["source"]?.string ?? ""
        form = value["form"]?.string ?? source
        path = value["path"]?.string.map { Pattern($0) }
        parameters = (value["when"]?.members ?? []).map { ($0.name, $0.value.string.map { Pattern($0) }) }
        let plain = (value.members ?? []).filter { member in
            let isPlain = member.value.string != nil || member.value.int != nil || member.value.bool != nil
            return isPlain && !["path", "source"].contains(member.name)
        }
        constants = Dictionary(uniqueKeysWithValues: plain.map { ($0.name, $0.value) })
        rules = (value["rules"]?.array ?? []).map(Rule.init)
        self.source = Template(text: source)
        sourcePattern = Pattern(source)
        fields = value["fields"]?.members.map { $0.map(Template.Member.init) }
        body = Template(value["body"] ?? .null)
        record = value["record"].map { Template($0) }
        let lets = (value["lets"]?.members ?? []).map { ($0.name, Template($0.value)) }
        self.lets = Dictionary(uniqueKeysWithValues: lets)
        identity = Template(text: value["identity"]?.string ?? "{id}")
        search = value["search"].map { Search($0, sorts: value["sorts"]) }
        lookup = value["lookup"].map { Lookup($0) }
    }

    /// The texts of the path's names when the endpoint takes the request.
    func match(_ path: String, _ parameters: Parameters) -> [String: String]? {
        guard var values = self.path?.match(path) else { return nil }
        for (name, pattern) in self.parameters {
            guard let pattern else {
                if parameters[name] != nil { return nil }
                continue
            }
            guard let found = parameters[name].flatMap({ pattern.match($0) }) else { return nil }
            values.merge(found) { _, new in new }
        }
        return values
    }

    /// The texts of the names in the source's name, for an endpoint that searches it.
    func match(source: String) -> [String: String]? {
        search == nil || record == nil ? nil : sourcePattern.match(source)
    }
}

/// How an endpoint finds documents, and which of them are on a page. The members in files:
///
/// - `parameter` has the words; `query` is what is really looked for; `keep` names further parameters that change what
///   is found, with their defaults.
/// - `share` of all documents are known, divided by `narrowed` when a kept parameter is set; `step`: only every so many.
/// - `sort` is the parameter with the order; `sorts` beside the search are its values.
/// - `pages: [page, first, size]` or `items: [item, first, size]`, and `offset` where a request can say it instead.
/// - `ceiling`: so many can be reached, a few fewer when it `isVague`; `isShort`: sometimes a few fewer than asked for.
/// - `drift: [seed, least, most, above]`: totals above are off by some ten-thousandths.
/// - `filters` is the parameter with numeric filters; `ids` the form of ids; every so many documents are `twins`.
/// - `repeatsLast`, `overlaps`, `holdsBack` and `unrelated` name quirks; the body of an `isTimed` search has the time.
/// - `selection: [parameter, usual members]`; `walk` has the parameters of the list that a walk must find.
struct Search: Sendable {
    let parameter: String
    let query: Template
    let kept: [(name: String, value: String)]
    let share: Double
    let sortParameter: String
    /// nil when there is only one order.
    let sorts: [(word: String, order: Order)]?
    let first: [Template]
    let drift: [Template]
    let ids: ItemID
    let walk: [JSONMember]
    private let members: JSONValue
    private let templates: [String: Template]

    init(_ value: JSONValue, sorts: JSONValue?) {
        members = value
        parameter = value["parameter"]?.string ?? "query"
        query = value["query"].map { Template($0) } ?? Template(text: "{\(parameter)}")
        kept = (value["keep"]?.members ?? []).map { ($0.name, $0.value.plainText) }
        share = value["share"]?.double ?? 0.01
        sortParameter = value["sort"]?.string ?? "sort"
        self.sorts = sorts?.members?.map { ($0.name, Order($0.value.plainText)) }
        first = ((value["pages"] ?? value["items"])?.array ?? [0, 0, 0]).map { Template($0) }
        drift = (value["drift"]?.array ?? []).map { Template($0) }
        ids = ItemID(rawValue: value["ids"]?.string ?? "") ?? .packed
        walk = value["walk"]?.members ?? []
        templates = ["ceiling", "step", "offset"].reduce(into: [:]) { found, name in
            found[name] = value[name].map { Template($0) }
        }
    }

    /// A member as it is in the file.
    subscript(name: String) -> JSONValue? { members[name] }

    /// The number that a member's template makes; nil when there is none.
    func number(_ name: String, _ scope: Scope) -> Int? {
        templates[name].flatMap { scope.fill($0).int }
    }

    /// The members that a record has; nil for all of them.
    func selection(_ variables: [String: JSONValue]) -> Set<Substring>? {
        guard let parameter = self["selection"]?[0]?.string, let usual = self["selection"]?[1]?.string else {
            return nil
        }
        guard let wanted = variables[parameter]?.plainText else { return Set(usual.split(separator: " ")) }
        let names = Set(wanted.split(separator: ","))
        return names.contains("*") ? nil : names
    }
}

/// How an endpoint finds documents by their ids.
struct Lookup: Sendable {
    /// The ids, with a separator between them.
    let ids: Template
    let separator: Character
    /// The form of the endpoint that found the documents; nil when the id says it.
    let form: String?
    /// The error when there is nothing, for endpoints of one item.
    let missing: Template?
    /// Replaces an item that does not exist.
    let missingItem: Template?
    /// The parameter that names further documents to list after each item.
    let related: String?

    init(_ value: JSONValue) {
        ids = Template(text: value["ids"]?.string ?? "{id}")
        separator = value["separator"]?.string?.first ?? "\n"
        form = value["form"]?.string
        missing = value["missing"].map { Template($0) }
        missingItem = value["missingItem"].map { Template($0) }
        related = value["related"]?.string
    }
}

/// Which records a media and an entity mean, as the store has them.
struct EntityTable: Sendable {
    struct Row: Sendable {
        let name: String
        let form: String
        let kind: String
    }

    /// The rows of each medium, the default first; `all` comes last.
    private let media: [(name: String, rows: [Row])]

    init(_ value: JSONValue) {
        media = (value.members ?? []).map { medium in
            let rows = (medium.value.array ?? []).map { row in
                let parts = row.plainText.split(separator: ":").map(String.init)
                return Row(name: parts[0], form: parts[1], kind: parts.count > 2 ? parts[2] : parts[1])
            }
            return (medium.name, rows)
        }
    }

    /// The row of a medium and a name; without a medium every name is known.
    func find(_ medium: String?, _ name: String?) -> Row? {
        guard let medium, medium != "all" else {
            guard let name else { return media.last?.rows.first }
            return media.lazy.flatMap(\.rows).first { $0.name == name }
        }
        let rows = media.first { $0.name == medium }?.rows ?? []
        return name == nil ? rows.first : rows.first { $0.name == name }
    }

    /// The row by which a form of record is usually asked for.
    func row(of form: String) -> Row? {
        media.lazy.flatMap(\.rows).first { $0.form == form && !$0.name.hasSuffix("Episode") }
    }
}
