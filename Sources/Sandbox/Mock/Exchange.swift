import HTTP
import JSON

/// One request to an API: which endpoint takes it, its checks, and the answer.
struct Exchange {
    let api: API
    let request: HTTPRequest
    let parameters: Parameters
    /// Nanoseconds since 1970.
    let instant: Int64
    private(set) var endpoint: Endpoint?
    /// Some endpoint has the path, whatever the parameters are.
    private(set) var isPathKnown = false
    var scope: Scope
    var variables: [String: JSONValue] {
        get { scope.variables }
        set { scope.variables = newValue }
    }

    /// A request to an API, whose name and language the path no longer has.
    init(
        _ request: HTTPRequest,
        to api: API,
        path: String,
        language: String,
        _ parameters: Parameters,
        options: SandboxOptions,
        at instant: Int64
    ) {
        (self.api, self.request, self.parameters, self.instant) = (api, request, parameters, instant)
        scope = Scope(options: options, style: api.text, variables: [:])
        for parameter in parameters.list.reversed() {
            variables[parameter.name] = .string(parameter.value)
            variables["has:\(parameter.name)"] = true
        }
        variables["moment"] = .integer(Int(instant / 1_000_000_000))
        variables["tick"] = .integer(Int(instant / 3_000_000_000))
        variables["trace"] = .string(String(Dice.mix(UInt64(bitPattern: instant)), radix: 36))
        variables["path"] = .string(path)
        variables["method"] = .string(request.method)
        variables["agent"] = .string(request.fields["User-Agent"] ?? "")
        if api.hasLanguages { variables["language"] = .string(language) }
        choose(path)
    }

    private mutating func choose(_ path: String) {
        for candidate in api.endpoints where candidate.path?.match(path) != nil {
            isPathKnown = true
            guard let found = candidate.match(path, parameters) else { continue }
            use(candidate, found)
            if let row = chosenEntity {
                guard let form = api.endpoints.first(where: { $0.form == row.form }) else { continue }
                use(form, ["kind": row.kind, "entity": row.name])
            } else if api.entities != nil, candidate.lookup == nil {
                endpoint = nil
            }
            return
        }
    }

    private mutating func use(_ endpoint: Endpoint, _ found: [String: String]) {
        self.endpoint = endpoint
        variables.merge(endpoint.constants) { _, new in new }
        variables.merge(found.mapValues { .string($0) }) { _, new in new }
    }

    private mutating func set(_ row: EntityTable.Row) {
        variables["kind"] = .string(row.kind)
        variables["entity"] = .string(row.name)
    }

    /// What the store's parameters mean in a search.
    private var chosenEntity: EntityTable.Row? {
        guard endpoint?.lookup == nil else { return nil }
        return api.entities?.find(parameters["media"], parameters["entity"])
    }

    /// The source that the call belongs to, by the names of searchd.
    var source: String {
        if endpoint?.lookup != nil, let name = parameters["entity"], let table = api.entities {
            let form = table.find(parameters["media"], name)?.form
            return api.endpoints.first { $0.form == form && $0.search != nil }.map { scope.text($0.source) }
                ?? scope.text(api.unknownSource)
        }
        return scope.text(endpoint?.source ?? api.unknownSource)
    }

    /// The API's own answer.
    mutating func answer(in world: inout World) -> HTTPResponse {
        if let error = check(api.rules, in: &world) { return self.error(error) }
        guard let endpoint else { return error(api.fallback) }
        if let error = check(endpoint.rules, in: &world) { return self.error(error) }
        if let lookup = endpoint.lookup { return answer(lookup, endpoint, in: &world) }
        return endpoint.search.map { answer($0, endpoint, in: &world) } ?? error(api.fallback)
    }

    /// The answer of a row that a fault calls for; the variables that rules would have set are set as far as possible.
    mutating func faulty(_ name: String) -> HTTPResponse {
        let rules = api.rules.filter { [.header, .set, .country].contains($0.kind) }
        var world = World(options: scope.options)
        for rule in rules { _ = check([rule], in: &world) }
        return error(name)
    }

    /// The answer of a row of the error table.
    func error(_ name: String) -> HTTPResponse {
        guard let row = api.errors[name] else { preconditionFailure("\(api.name) has no error \(name)") }
        var scope = scope
        scope.variables["status"] = .integer(row.status)
        for argument in row.arguments { scope.variables[argument.name] = scope.fill(argument.value) }
        let body = row.body.map { api.body.bytes(scope.fill($0)) } ?? row.text.map { Array(scope.text($0).utf8) }
        let type = body == nil ? [] : [("Content-Type", scope.text(row.contentType ?? api.contentType))]
        let given = row.fields.filter { field in field.condition.map { scope.holds($0) } ?? true }
        let fields = given.map { ($0.name, scope.text($0.value)) }
        return HTTPResponse(status: row.status, fields: HTTPFields(type + fields), body: body ?? [])
    }

    private func ok(_ body: [UInt8], _ endpoint: Endpoint) -> HTTPResponse {
        var scope = scope
        let hash = Dice.hash(String(decoding: body.prefix(4_096), as: UTF8.self))
        scope.variables["hash"] = .string(String(hash, radix: 36))
        let fields = (endpoint.fields ?? api.fields).map { ($0.name, scope.text($0.value)) }
        var body = body
        if let callback = parameters["callback"], api.body.takesCallback {
            body = Array("\n\n\n\(callback)(".utf8) + body + Array(");".utf8)
        }
        return .of(200, scope.text(api.contentType), body, fields)
    }

    // MARK: Searches

    private func results(_ endpoint: Endpoint, _ search: Search, query: String? = nil, in world: World) -> Results {
        Results(endpoint, search, api, scope, query: query ?? scope.text(search.query), in: world, at: instant)
    }

    private mutating func answer(_ search: Search, _ endpoint: Endpoint, in world: inout World) -> HTTPResponse {
        let time = search["isTimed"] == true ? instant / 1_000_000_000 : 0
        let language = variables["language"]?.plainText ?? ""
        let key = "\(api.name) \(language)\n\(request.url)\n\(world.arrivals(at: instant)) \(time)"
        if let page = world.pages[key] {
            world.memory.remember(page.memory)
            return ok(page.body, endpoint)
        }
        let results = results(endpoint, search, in: world)
        world.memory.remember(results.memory)
        let items = results.documents.map { record($0, results, endpoint, search) }
        let members = search.selection(variables)
        let wanted = scope.with(endpoint.lets)
        set(results, count: items.count, drifts: world.options.quirks.totalsDrift)
        variables["items"] = .array(
            items.map { wanted.fill(endpoint.record ?? .literal(.null), for: $0, only: members) }
        )
        scope.lets = endpoint.lets
        scope.records = items
        let body = api.body.bytes(scope.fill(endpoint.body))
        world.pages[key] = PageCache.Page(body: body, memory: results.memory)
        return ok(body, endpoint)
    }

    /// The variables that bodies use.
    private mutating func set(_ results: Results, count: Int, drifts: Bool) {
        let (next, size) = (results.offset + results.size, results.size)
        variables["count"] = .integer(count)
        variables["found"] = .integer(results.count)
        variables["total"] = .integer(results.total(scope, drifts: drifts))
        variables["reachable"] = .integer(results.reachable)
        variables["shown"] = .integer(results.positions.upperBound)
        variables["offset"] = .integer(results.offset)
        variables["next"] = .integer(next)
        variables["isEnd"] = .bool(results.isEnd)
        variables["pageCount"] = .integer(size == 0 ? 0 : (results.reachable + size - 1) / size)
        variables["topicWords"] = .strings(results.topic.words.map { $0.lowercased() })
    }

    private func record(_ document: Document, _ results: Results, _ endpoint: Endpoint, _ search: Search)
        -> Scope.Record
    {
        let record = Scope.Record(document, topic: results.topic, twins: search["twins"]?.int ?? 0)
        let form = endpoint.constants["formNumber"]?.int ?? 0
        record.id = search.ids.id(results.memory.key, document.index, form: form)
        return record
    }

    /// What a walk over the pages of this search must find; nil when the request is not valid.
    mutating func truth(_ endpoint: Endpoint, _ found: [String: String], in world: World) -> SandboxTruth? {
        guard let search = endpoint.search else { return nil }
        use(endpoint, found)
        for member in search.walk { variables[member.name] = member.value }
        var world = world
        if let row = api.entities?.row(of: endpoint.form) { set(row) }
        guard check(endpoint.rules, in: &world) == nil else { return nil }
        let results = results(endpoint, search, in: world)
        // Some endpoints end before what they call reachable: after so many pages of the largest size.
        let most = endpoint.constants["pageMax"]?.int.map { $0 * (endpoint.constants["sizeMax"]?.int ?? 1) } ?? .max
        let documents = search["isShort"] == true ? results.documents : Array(results.reachableDocuments.prefix(most))
        let scope = scope.with(endpoint.lets)
        let ids = documents.map { scope.fill(endpoint.identity, for: record($0, results, endpoint, search)).plainText }
        let total = search["isShort"] == true ? ids.count : results.count
        return SandboxTruth(total: total, reachable: ids.count, ids: ids)
    }

    // MARK: Single items

    private mutating func answer(_ lookup: Lookup, _ endpoint: Endpoint, in world: inout World) -> HTTPResponse {
        var items: [JSONMember] = []
        for text in scope.text(lookup.ids).split(separator: lookup.separator) {
            let found = self.items(text, lookup, endpoint, in: world)
            if found.isEmpty, let missing = lookup.missingItem {
                var scope = scope
                scope.variables["id"] = Int(text).map { .integer($0) } ?? .string(String(text))
                items.append(JSONMember(String(text), scope.fill(missing)))
            }
            items += found.map { JSONMember(String(text), $0) }
        }
        if items.isEmpty, let missing = lookup.missing { return error(scope.text(missing)) }
        variables["count"] = .integer(items.count)
        variables["item"] = items.first?.value
        variables["items"] = .array(items.map(\.value))
        variables["itemsByID"] = .object(items)
        return ok(api.body.bytes(scope.fill(endpoint.body)), endpoint)
    }

    /// The item of an id and those related to it, in the form of the endpoint.
    private func items(_ id: Substring, _ lookup: Lookup, _ endpoint: Endpoint, in world: World) -> [JSONValue] {
        let candidates = api.endpoints.filter { $0.search != nil && (lookup.form == nil || $0.form == lookup.form) }
        guard let position = candidates.first?.search?.ids.position(of: id), let memory = world.memory[position.search],
            let home = candidates.first(where: { ($0.constants["formNumber"]?.int ?? 0) == position.form }),
            let search = home.search
        else { return [] }
        // Documents of another language are not found.
        let language = memory.kept["language"] ?? search.kept.first { $0.name == "language" }?.value
        if api.hasLanguages, let language, language != variables["language"]?.plainText { return [] }
        let others = api.entities.flatMap { table in lookup.related.flatMap { table.find(nil, parameters[$0]) } }
        let own = item(position.index, memory, home, endpoint, api.entities?.row(of: home.form), in: world)
        guard !own.isEmpty, parameters[lookup.related ?? ""] != nil, let others,
            let form = api.endpoints.first(where: { $0.form == others.form })
        else { return own }
        return own + item(nil, memory, form, endpoint, others, in: world)
    }

    /// The document of an index, or a page of documents, that a search found.
    private func item(
        _ index: Int?,
        _ memory: SearchMemory.Search,
        _ home: Endpoint,
        _ endpoint: Endpoint,
        _ row: EntityTable.Row?,
        in world: World
    ) -> [JSONValue] {
        guard let search = home.search else { return [] }
        var exchange = self
        exchange.variables.merge(home.constants.merging(endpoint.constants) { _, own in own }) { _, new in new }
        for (name, usual) in search.kept { exchange.variables[name] = .string(memory.kept[name] ?? usual) }
        if let row { exchange.set(row) }
        exchange.variables[search.sortParameter] = nil
        exchange.variables[search.parameter] = .string(memory.query)
        let results = exchange.results(home, search, query: memory.query, in: world)
        let documents = index.map { [results.listing.document(index: $0)].compactMap(\.self) } ?? results.documents
        let scope = exchange.scope.with(home.lets.merging(endpoint.lets) { _, own in own })
        let template = endpoint.record ?? home.record ?? .literal(.null)
        let members = endpoint.record == nil ? search.selection(variables) : nil
        return documents.map { document in
            // The key is that of the search that was remembered, whatever its query became.
            let record = Scope.Record(document, topic: results.topic, twins: search["twins"]?.int ?? 0)
            let form = home.constants["formNumber"]?.int ?? 0
            record.id = search.ids.id(memory.key, document.index, form: form)
            return scope.fill(template, for: record, only: members)
        }
    }
}

extension Scope {
    /// The same with the values of records.
    func with(_ lets: [String: Template]) -> Scope {
        var scope = self
        scope.lets = lets
        return scope
    }
}
