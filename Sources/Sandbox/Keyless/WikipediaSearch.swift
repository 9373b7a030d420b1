import HTTP
import JSON

/// A wiki's `api.php`: full-text search, completion by prefix, pages by id.
enum WikipediaSearch {
    static let contentType = "application/json; charset=utf-8"
    static let share = 0.002
    static let limitMax = 500
    /// No caller gets more results than this.
    static let reachableMax = 10_000
    static let queryBytesMax = 300

    static let sorts: [String: Order] = [
        "relevance": .relevance, "none": .relevance, "just_match": .relevance, "last_edit_desc": .newest,
        "last_edit_asc": .oldest, "create_timestamp_desc": .shuffled(1), "create_timestamp_asc": .shuffled(2),
        "incoming_links_desc": .shuffled(3), "incoming_links_asc": .shuffled(4), "random": .shuffled(5),
    ]

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(WikipediaError) {
            try admit(call, in: &world)
            switch (call.parameters["action"], call.parameters["list"]) {
            case ("query", "search"?): return try search(call, in: &world)
            case ("query", nil) where call.parameters["pageids"] != nil: return try pages(call, in: world)
            case ("opensearch", _): return try complete(call, in: &world)
            default: throw .unknownAction
            }
        } catch {
            return error.response(to: call)
        }
    }

    private static func admit(_ call: Call, in world: inout World) throws(WikipediaError) {
        guard call.path.hasPrefix("/w/api.php") else { throw .unknownPath }
        if world.options.quirks.wikipediaNeedsAgent, (call.header("User-Agent") ?? "").isEmpty {
            throw .noAgent
        }
        let second = Ledger.Period.window(nanoseconds: 1_000_000_000)
        let limit = world.options.limits.wikipediaPerSecond
        guard world.ledger.admits("wikipedia", limit: limit, per: second, at: call.instant) else {
            throw .throttled
        }
    }

    private static func search(_ call: Call, in world: inout World) throws(WikipediaError) -> HTTPResponse {
        let text = call.parameters["srsearch"] ?? ""
        guard !Topic(text).words.isEmpty else { throw .missingSearch }
        guard text.utf8.count <= queryBytesMax else { throw .tooLong }
        guard let limit = call.number("srlimit", default: 10), let offset = call.number("sroffset", default: 0) else {
            throw .badInteger
        }
        guard (1...limitMax).contains(limit), offset >= 0 else { throw .outOfRange }
        let what = call.parameters["srwhat"] ?? "text"
        guard let order = sorts[call.parameters["srsort"] ?? "relevance"],
            ["text", "title", "nearmatch"].contains(what)
        else { throw .badValue }
        let language = call.endpoint.language
        let results = WikipediaResults(language, text, what: what, order: order, at: call.instant, in: world)
        let search = world.topics.remember(results.search)
        let writer = WikipediaWriter(
            results: results,
            search: search,
            language: call.endpoint.language,
            pictures: world.pictures
        )
        let isOld = world.options.quirks.wikipediaOldContinue
        let properties = (call.parameters["srprop"] ?? "size|wordcount|timestamp|snippet").split(separator: "|")
        let isSecond = call.parameters["formatversion"] == "2"
        let key = "wikipedia\n\(call.request.url)\n\(results.listing.arrivals)"
        let body = world.pages.body(key) {
            let page = writer.page(offset, limit, Set(properties), oldContinue: isOld, secondFormat: isSecond)
            return Body.plain.bytes(page)
        }
        return .of(200, contentType, body, [("MediaWiki-Login-Suppressed", "true")])
    }

    /// Four arrays: the term, titles, empty texts, addresses.
    private static func complete(_ call: Call, in world: inout World) throws(WikipediaError) -> HTTPResponse {
        let text = call.parameters["search"] ?? ""
        guard !Topic(text).words.isEmpty else { throw .missingSearch }
        guard let limit = call.number("limit", default: 10) else { throw .badInteger }
        guard (1...limitMax).contains(limit) else { throw .outOfRange }
        let results = WikipediaResults(call.endpoint.language, text, order: .relevance, at: call.instant, in: world)
        let search = world.topics.remember(results.search)
        let writer = WikipediaWriter(
            results: results,
            search: search,
            language: call.endpoint.language,
            pictures: world.pictures
        )
        let titles = results.documents(0, limit).map { writer.title($0) }
        let body: JSONValue = [
            .string(text), .strings(titles), .strings(titles.map { _ in "" }), .strings(titles.map(writer.address)),
        ]
        return .of(200, contentType, Body.plain.bytes(body))
    }

    /// Pages by their ids: an object of them, in the second format a list.
    private static func pages(_ call: Call, in world: World) throws(WikipediaError) -> HTTPResponse {
        let isSecond = call.parameters["formatversion"] == "2"
        let properties = Set((call.parameters["prop"] ?? "").split(separator: "|"))
        var members: [JSONMember] = []
        for text in (call.parameters["pageids"] ?? "").split(separator: "|") {
            guard let id = Int(text) else { throw .badPageID }
            let missing: JSONValue = ["pageid": .integer(id), "missing": isSecond ? true : ""]
            let page = found(id, call, in: world).map { writer, document in
                writer.single(document, properties, isPlain: call.parameters["explaintext"] != nil)
            }
            members.append(JSONMember(String(id), page ?? missing))
        }
        let pages: JSONValue = isSecond ? .array(members.map(\.value)) : .object(members)
        let body: JSONValue = ["batchcomplete": isSecond ? true : "", "query": ["pages": pages]]
        return .of(200, contentType, Body.plain.bytes(body))
    }

    /// The article of an id in the wiki that is asked, and who writes it.
    private static func found(_ id: Int, _ call: Call, in world: World) -> (WikipediaWriter, Document)? {
        let language = call.endpoint.language
        guard let item = world.topics.unpack(id), item.search.variant == language,
            case let results = WikipediaResults(
                language,
                item.search.query,
                order: .relevance,
                at: call.instant,
                in: world
            ),
            let document = results.listing.document(index: item.index)
        else { return nil }
        return (
            WikipediaWriter(results: results, search: item.search.key, language: language, pictures: world.pictures),
            document
        )
    }
}
