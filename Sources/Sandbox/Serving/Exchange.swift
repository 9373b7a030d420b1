import HTTP
import JSON

/// One request to a mock API.
///
/// Finds the endpoint, checks the request and creates the answer.
struct Exchange {
    let api: API
    let instant: Int64
    private let url: String
    private(set) var endpoint: Endpoint?
    private(set) var generator: Generator
    var variables: [String: JSONValue] {
        get { generator.variables }
        set { generator.variables = newValue }
    }

    init(
        _ request: HTTPRequest,
        to api: API,
        path: String,
        language: String,
        _ parameters: Parameters,
        options: SandboxOptions,
        at instant: Int64
    ) {
        (self.api, self.instant, url) = (api, instant, request.url)
        generator = Generator(
            style: api.style,
            lets: [:],
            variables: [:],
            base: options.base,
            pricePercent: options.quirks.pricePercent
        )
        for parameter in parameters.list.reversed() { variables[parameter.name] = .string(parameter.value) }
        for (variable, field, prefix) in api.headers {
            let value = request.fields[field].flatMap { $0.hasPrefix(prefix) ? $0.dropFirst(prefix.count) : nil }
            variables[variable] = value.map { .string(String($0)) }
        }
        if api.hasLanguages { variables["language"] = .string(language) }
        variables["isCountry"] = .bool(Storefront(parameters["country"] ?? "") != nil)
        variables["isMalformed"] = .bool(parameters.isMalformed)
        variables["moment"] = .integer(Int(instant / 1_000_000_000))
        variables["path"] = .string(path)
        variables["method"] = .string(request.method)
        choose(path, parameters)
    }

    private mutating func choose(_ path: String, _ parameters: Parameters) {
        for candidate in api.endpoints {
            guard var found = candidate.path.match(path) else { continue }
            variables["isPathKnown"] = true
            let takes = candidate.parameters.allSatisfy { name, pattern in
                guard let values = pattern.match(found[name] ?? parameters[name] ?? "") else { return false }
                found.merge(values) { _, new in new }
                return true
            }
            if takes { return use(candidate, found) }
        }
    }

    private mutating func use(_ endpoint: Endpoint, _ found: [String: String]) {
        self.endpoint = endpoint
        generator.lets = endpoint.lets
        variables.merge(endpoint.constants) { _, new in new }
        variables.merge(found.mapValues { .string($0) }) { _, new in new }
    }

    var source: String { endpoint.map { generator.text($0.source) } ?? "\(api.account).unknown" }

    mutating func answer(in world: inout World) -> HTTPResponse {
        if let error = check(api.rules, in: &world) { return self.error(error) }
        guard let endpoint else { return error(api.fallback) }
        if let error = check(endpoint.rules, in: &world) { return self.error(error) }
        if let lookup = endpoint.lookup { return answer(lookup, endpoint, in: world) }
        return endpoint.search.map { answer($0, endpoint, in: &world) } ?? error(api.fallback)
    }

    func error(_ name: String) -> HTTPResponse {
        guard let row = api.errors[name]?.array, let status = row[1].int, let shape = api.shapes[row[0].plainText]
        else {
            preconditionFailure("\(api.name) has no error \(name)")
        }
        var generator = generator
        generator.variables["status"] = .integer(status)
        for (letter, argument) in zip("abcdefg", row.dropFirst(2)) {
            generator.variables[String(letter)] = generator.fill(Template(argument))
        }
        let body =
            shape["body"].map { bytes(generator.fill(Template($0))) }
            ?? shape["text"].map { Array(generator.text(Template($0)).utf8) }
        let type = body == nil ? [] : [("Content-Type", shape["type"]?.string ?? api.contentType)]
        let fields = (generator.fill(Template(shape["fields"] ?? .null)).members ?? []).map {
            ($0.name, $0.value.plainText)
        }
        return HTTPResponse(status: status, fields: HTTPFields(type + fields), body: body ?? [])
    }

    private func bytes(_ body: JSONValue) -> [UInt8] { api.isXML ? body.xmlBytes : body.bytes }

    private func results(_ endpoint: Endpoint, _ search: JSONValue, query: String? = nil, in world: World) -> Results {
        let parameter = search["parameter"]?.string ?? "query"
        var given =
            query ?? variables[parameter].flatMap { $0.isSet ? $0.plainText : nil } ?? search["usual"]?.string ?? ""
        // The query `all:"swift" AND all:"actors"` searches for both words.
        if search["hasFields"]?.bool == true {
            given = given.replacing("all:", with: "").replacing("\"", with: "").replacing(" AND ", with: " ")
        }
        return Results(given, endpoint, search, api, variables, world.options, arrivals: world.arrivals)
    }

    private mutating func answer(_ search: JSONValue, _ endpoint: Endpoint, in world: inout World) -> HTTPResponse {
        let results = results(endpoint, search, in: world)
        let key = world.memory.remember(results.search)
        let record = endpoint.record ?? .literal(nil)
        let items = results.documents.map { generator.fill(record, self.record($0, results, key)) }
        let total = world.options.quirks.totalsDrift ? drifted(results) : results.listing.count
        results.set(&variables, count: items.count, total: total)
        setItems(items)
        pay(endpoint, in: &world)
        return .of(200, api.contentType, bytes(generator.fill(endpoint.body)))
    }

    /// Adds the price of the answer to the costs of the account, in millionths of a dollar.
    private mutating func pay(_ endpoint: Endpoint, in world: inout World) {
        guard let prices = endpoint["prices"]?.array, !prices.isEmpty else { return }
        let text = prices[world.calls % prices.count].plainText
        variables["charge"] = .number(JSONNumber(validatedText: text))
        world.spent[api.account, default: 0] += Int(((Double(text) ?? 0) * 1_000_000 - 0.001).rounded(.up))
    }

    private mutating func setItems(_ items: [JSONValue]) {
        variables["count"] = .integer(items.count)
        variables["items"] = .array(items)
        variables["item"] = items.first
    }

    private func drifted(_ results: Results) -> Int {
        var dice = Dice(Dice.hash(url), UInt64(bitPattern: instant / 3_000_000_000))
        return results.listing.count + results.listing.count * dice.roll(0...api.drift) / 10_000
    }

    private func record(_ document: Document, _ results: Results, _ key: Int) -> Generator.Record {
        Generator.Record(document, results.topic, id: SearchMemory.id(key, document.index))
    }

    mutating func truth(_ endpoint: Endpoint, query: String, sort: String?, _ found: [String: String], in world: World)
        -> SandboxTruth?
    {
        guard let search = endpoint.search, sort == nil || !endpoint.sorts.isEmpty else { return nil }
        use(endpoint, found)
        variables[search["parameter"]?.string ?? "query"] = .string(query)
        variables[endpoint.sortParameter] = sort.map { .string($0) }
        for member in search["walk"]?.members ?? [] { variables[member.name] = member.value }
        var world = world
        guard check(endpoint.rules, in: &world) == nil else { return nil }
        let results = results(endpoint, search, in: world)
        // Some endpoints have fewer pages than the total in their answers suggests.
        let most = endpoint["pageMax"]?.int.map { $0 * (endpoint["sizeMax"]?.int ?? 1) } ?? .max
        let ids = (0..<min(results.reachable, most)).map { position in
            let document = results.listing.document(at: position)
            return generator.text(endpoint.identity, record(document, results, results.search.key))
        }
        return SandboxTruth(total: results.listing.count, reachable: ids.count, ids: ids)
    }

    private mutating func answer(_ lookup: JSONValue, _ endpoint: Endpoint, in world: World) -> HTTPResponse {
        let text = variables[lookup["id"]?.string ?? ""]?.plainText ?? ""
        let item = Int(text, radix: lookup["radix"]?.int ?? 10).flatMap { self.item($0, endpoint, in: world) }
        if item == nil, let missing = lookup["missing"]?.string { return error(missing) }
        setItems([item ?? lookup["missingItem"].map { generator.fill(Template($0)) }].compactMap(\.self))
        return .of(200, api.contentType, bytes(generator.fill(endpoint.body)))
    }

    /// If the endpoint has no template, uses the template of the search that found the item.
    private func item(_ id: Int, _ endpoint: Endpoint, in world: World) -> JSONValue? {
        guard let (search, key, index) = world.memory[id: id],
            let home = api.endpoints.first(where: { $0.form == search.form && $0.search != nil }),
            let finding = home.search, search.kept["language"] == variables["language"]?.plainText
        else { return nil }
        var exchange = self
        exchange.use(home, search.kept)
        exchange.variables.merge(endpoint.constants) { _, new in new }
        exchange.variables[home.sortParameter] = nil
        let results = exchange.results(home, finding, query: search.query, in: world)
        guard let document = results.listing.document(index: index) else { return nil }
        exchange.generator.lets = home.lets.merging(endpoint.lets) { _, own in own }
        let template = endpoint.record ?? home.record ?? .literal(nil)
        return exchange.generator.fill(template, record(document, results, key))
    }
}

struct Parameters: Sendable {
    private(set) var list: [(name: String, value: String)] = []
    private(set) var isMalformed = false

    init(_ query: Substring) {
        for pair in query.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if let name = PercentEncoding.decode(sides[0], plusIsBlank: true),
                let value = PercentEncoding.decode(sides.count == 2 ? sides[1] : "", plusIsBlank: true)
            {
                list.append((name, value))
            } else {
                isMalformed = true
            }
        }
    }

    init(_ query: Substring, json body: [UInt8]) {
        self.init(query)
        for member in (try? JSONDocument(body))?.root.value.members ?? []
        where member.value.members == nil && member.value.array == nil {
            list.append((member.name, member.value.plainText))
        }
    }

    subscript(name: String) -> String? { list.first { $0.name == name }?.value }
}
