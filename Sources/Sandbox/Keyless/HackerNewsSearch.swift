import HTTP
import JSON

/// The search of Hacker News: by relevance and by date, and single items.
enum HackerNewsSearch {
    static let contentType = "application/json; charset=utf-8"
    static let share = 0.01
    static let hitsMax = 1_000
    static let searchPath = "/api/v1/search"
    static let datePath = "/api/v1/search_by_date"

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(HackerNewsError) {
            let hour = Ledger.Period.window(nanoseconds: 3_600_000_000_000)
            let limit = world.options.limits.hackernewsPerHour
            guard world.ledger.admits("hackernews", limit: limit, per: hour, at: call.instant) else {
                throw .throttled
            }
            if call.path == searchPath || call.path == datePath { return try search(call, in: &world) }
            return try item(call, in: world)
        } catch {
            return error.response(to: call)
        }
    }

    private static func search(_ call: Call, in world: inout World) throws(HackerNewsError) -> HTTPResponse {
        guard let page = call.number("page", default: 0), let asked = call.number("hitsPerPage", default: 20),
            page >= 0, asked >= 0
        else { throw .badNumber }
        guard let filters = NumericFilter.list(call.parameters["numericFilters"] ?? "") else {
            throw .badFilter
        }
        let size = min(asked, hitsMax)
        let query = HackerNewsQuery(
            text: call.parameters["query"] ?? "",
            tags: call.parameters["tags"] ?? "",
            filters: filters,
            byDate: call.path == datePath
        )
        if let item = query.item {
            return .of(200, contentType, Body.plain.bytes(single(item, query, call, in: world)))
        }
        let key = "hackernews\n\(call.request.url)\n\(world.arrivals(at: call.instant))"
        let search = world.topics.remember(query.search)
        if let body = world.pages[key] { return .of(200, contentType, body) }
        let results = HackerNewsResults(query, at: call.instant, in: world)
        let body = Body.plain.bytes(results.page(page, size, search: search))
        world.pages[key] = body
        return .of(200, contentType, body)
    }

    /// The single item of `/api/v1/items/ID`.
    private static func item(_ call: Call, in world: World) throws(HackerNewsError) -> HTTPResponse {
        guard call.path.hasPrefix("/api/v1/items/"), let number = Int(call.path.dropFirst("/api/v1/items/".utf8.count)),
            let (writer, document) = found(number, call, in: world)
        else { throw .notFound }
        return .of(200, contentType, Body.plain.bytes(writer.item(document)))
    }

    /// The page of a search that the tag of one story narrows down to it.
    private static func single(
        _ number: Int,
        _ query: HackerNewsQuery,
        _ call: Call,
        in world: World
    ) -> JSONValue {
        let hits = found(number, call, in: world).map { writer, document in [writer.hit(document)] } ?? []
        return [
            "exhaustiveNbHits": true, "hits": .array(hits), "hitsPerPage": 1, "nbHits": .integer(hits.count),
            "nbPages": .integer(hits.count), "page": 0, "query": .string(query.text), "processingTimeMS": 1,
        ]
    }

    /// The story of a number, and who writes it.
    private static func found(_ number: Int, _ call: Call, in world: World) -> (HackerNewsWriter, Document)? {
        guard let item = world.topics.unpack(number),
            case let query = HackerNewsQuery(text: item.search.query, tags: item.search.variant),
            case let results = HackerNewsResults(query, at: call.instant, in: world),
            let document = results.listing.document(index: item.index)
        else { return nil }
        return (HackerNewsWriter(query: query, search: item.search.key), document)
    }
}

/// What a search of Hacker News asks for once it has been checked.
struct HackerNewsQuery {
    var text: String
    var tags = ""
    var filters: [NumericFilter] = []
    var byDate = false

    var search: TopicMemory.Search {
        TopicMemory.Search(query: text, variant: tags)
    }

    /// The number of a tag `story_ID`, which must be among the tags as one of its own.
    var item: Int? {
        tags.split(separator: ",").lazy.compactMap { $0.hasPrefix("story_") ? Int($0.dropFirst(6)) : nil }.first
    }

    /// A query without words matches everything; the sandbox then lists what is about news.
    var topic: Topic {
        Topic(text.isEmpty ? "news" : text)
    }
}

/// The rows of the Hacker News search's error table.
enum HackerNewsError: String, ErrorRow {
    case badFilter, badNumber, throttled, notFound, unavailable

    func response(to call: Call) -> HTTPResponse {
        switch self {
        case .badFilter: message(400, "Invalid syntax for numericFilters parameter")
        case .badNumber: message(400, "Invalid value for \"page\" or \"hitsPerPage\", expected an integer")
        case .throttled: message(429, "Too many requests")
        case .notFound: message(404, "Not Found")
        case .unavailable: message(503, "Unreachable hosts")
        }
    }

    private func message(_ status: Int, _ text: String) -> HTTPResponse {
        let body: JSONValue = ["message": .string(text), "status": .integer(status)]
        return .of(status, HackerNewsSearch.contentType, Body.plain.bytes(body))
    }
}
