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
        search == nil ? nil : sourcePattern.match(source)
    }
}

/// How an endpoint finds documents, and which of them are on a page.
struct Search: Sendable {
    /// The parameter with the words, and what is really looked for.
    let parameter: String
    let query: Template
    /// Parameters that change what is found, with their defaults.
    let kept: [(name: String, value: String)]
    /// The part of all documents that this source has; divided by `narrowed` when a kept parameter is set.
    let share: Double
    let narrowed: Int
    /// The parameter with the order, and its values; nil when there is only one order.
    let sortParameter: String
    let sorts: [(word: String, order: Order)]?
    /// `[first, number of the first, size]`; in pages, or in items.
    let first: [Template]
    /// The first item, where the request can say it instead of the page.
    let offset: Template?
    let isInPages: Bool
    /// How many documents can be reached; somewhat fewer when it is vague.
    let ceiling: Template?
    let isVague: Bool
    /// Only every so many documents match; from a template.
    let step: Template?
    /// `[seed, least, most, above]`: the total is off by some ten-thousandths when it is above.
    let drift: [Template]
    /// The parameter with numeric filters.
    let filters: String?
    /// The form of ids, and the forms' number in them.
    let ids: ItemID
    let twins: Int
    /// Sometimes a few fewer items than asked for, although there are more.
    let isShort: Bool
    /// Names of quirks, in which pages are unusual.
    let repeatsLast: String?
    let overlaps: String?
    let holdsBack: String?
    let unrelated: String?
    /// The body has the time in it, so it is good for one second.
    let isTimed: Bool
    /// `[parameter, usual members]`: which members a record has.
    let selection: [String]
    /// Parameters of the list that a walk must find.
    let walk: [JSONMember]

    init(_ value: JSONValue, sorts: JSONValue?) {
        parameter = value["parameter"]?.string ?? "query"
        query = value["query"].map { Template($0) } ?? Template(text: "{\(parameter)}")
        kept = (value["keep"]?.members ?? []).map { ($0.name, $0.value.plainText) }
        share = value["share"]?.double ?? 0.01
        narrowed = value["narrowed"]?.int ?? 1
        sortParameter = value["sort"]?.string ?? "sort"
        self.sorts = sorts?.members?.map { ($0.name, Order($0.value.plainText)) }
        isInPages = value["pages"] != nil
        first = ((value["pages"] ?? value["items"])?.array ?? [0, 0, 0]).map { Template($0) }
        offset = value["offset"].map { Template($0) }
        ceiling = value["ceiling"].map { Template($0) }
        isVague = value["isVague"]?.bool ?? false
        step = value["step"].map { Template($0) }
        drift = (value["drift"]?.array ?? []).map { Template($0) }
        filters = value["filters"]?.string
        ids = ItemID(rawValue: value["ids"]?.string ?? "") ?? .packed
        twins = value["twins"]?.int ?? 0
        isShort = value["isShort"]?.bool ?? false
        repeatsLast = value["repeatsLast"]?.string
        overlaps = value["overlaps"]?.string
        holdsBack = value["holdsBack"]?.string
        unrelated = value["unrelated"]?.string
        isTimed = value["isTimed"]?.bool ?? false
        selection = value["selection"]?.array?.compactMap(\.string) ?? []
        walk = value["walk"]?.members ?? []
    }

    /// The members that a record has; nil for all of them.
    func members(_ variables: [String: JSONValue]) -> Set<Substring>? {
        guard selection.count == 2, let wanted = variables[selection[0]]?.plainText else {
            return selection.count == 2 ? Set(selection[1].split(separator: " ")) : nil
        }
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
    /// Takes the place of an item that there is not.
    let missingItem: Template?
    /// The parameter that names further documents to list after each item.
    let related: String?

    init(_ value: JSONValue) {
        ids = Template(text: value["ids"]?.string ?? "{id}")
        separator = value["separator"]?.string?.first ?? "\n"
        form = value["form"]?.string
        missing = value["missing"]?.string.map { Template(text: $0) }
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
