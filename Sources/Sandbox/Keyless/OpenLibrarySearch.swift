import HTTP
import JSON

/// Open Library's search and single works.
enum OpenLibrarySearch {
    static let contentType = "application/json"
    static let share = 0.001
    static let queryCharactersMin = 3
    static let limitMax = 1_000

    static let sorts: [String: Order] = [
        "": .relevance, "new": .newest, "old": .oldest, "rating": .shuffled(1), "editions": .shuffled(2),
        "readinglog": .shuffled(3), "random": .shuffled(4), "title": .shuffled(5),
    ]

    /// The parameters that narrow a search down, each with or without `q`.
    static let narrowing = ["title", "author", "isbn", "subject", "publisher", "language", "first_publish_year"]

    static func answer(_ call: Call, in world: inout World) -> HTTPResponse {
        do throws(OpenLibraryError) {
            try admit(call, in: &world)
            if call.path == "/search.json" { return try search(call, in: &world) }
            return try work(call, in: world)
        } catch {
            return error.response(to: call)
        }
    }

    /// One call a second; three for those who say who they are.
    private static func admit(_ call: Call, in world: inout World) throws(OpenLibraryError) {
        guard let limit = world.options.limits.openlibraryPerSecond else { return }
        let agent = call.header("User-Agent") ?? ""
        let isKnown = agent.contains("@") || agent.contains("http")
        let second = Ledger.Period.window(nanoseconds: 1_000_000_000)
        let allowed = isKnown ? limit * 3 : limit
        guard world.ledger.admits("openlibrary \(isKnown)", limit: allowed, per: second, at: call.instant) else {
            throw .throttled
        }
    }

    private static func search(_ call: Call, in world: inout World) throws(OpenLibraryError) -> HTTPResponse {
        let parameters = call.parameters
        let q = parameters["q"]?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if let q {
            guard q.count >= queryCharactersMin else { throw .tooShort }
            guard q.lowercased() != "the" else { throw .blocked }
        }
        if let q, let number = OpenLibraryWriter.number(inQuery: q) { return list(number, q, call, in: world) }
        guard let page = call.number("page", default: 1), page >= 1 else { throw .badPage }
        guard let limit = call.number("limit", default: 100), limit >= 0 else { throw .badLimit }
        guard let order = sorts[parameters["sort"] ?? ""] else { throw .badSort }
        let size = min(limit, limitMax)
        guard let start = call.number("offset", default: (page - 1) * size), start >= 0 else {
            throw .badOffset
        }
        let narrowed = narrowing.compactMap { name in parameters[name].map { (name, $0) } }
        let query = ([q].compactMap(\.self) + narrowed.filter { $0.0 != "language" }.map(\.1)).joined(separator: " ")
        let variant = narrowed.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        let results = OpenLibraryResults(query, variant: variant, order: order, at: call.instant, in: world)
        let search = world.topics.remember(results.search)
        let writer = OpenLibraryWriter(search: search, topic: results.topic)
        let body = world.pages.body("\(call.request.url)\n\(results.listing.arrivals)") {
            let docs = results.listing.documents(start, size).map { writer.work($0, fields: parameters["fields"]) }
            return Body.plain.bytes([
                "numFound": .integer(results.listing.count), "start": .integer(start), "numFoundExact": true,
                "num_found": .integer(results.listing.count),
                "documentation_url": "https://openlibrary.example/dev/docs/api/search",
                "q": .string(q ?? ""), "offset": parameters["offset"] == nil ? .null : .integer(start),
                "docs": .array(docs),
            ])
        }
        return .of(200, contentType, body)
    }

    /// The single work of `/works/OL…W.json`.
    private static func work(_ call: Call, in world: World) throws(OpenLibraryError) -> HTTPResponse {
        guard call.path.hasSuffix(".json"), let number = OpenLibraryWriter.number(of: call.path.dropLast(5)),
            let (writer, document) = found(number, call, in: world)
        else { throw .notFound }
        return .of(200, contentType, Body.plain.bytes(writer.single(document)))
    }

    /// What a search by the key of a work finds: that work, or nothing.
    private static func list(_ number: Int, _ q: String, _ call: Call, in world: World) -> HTTPResponse {
        let fields = call.parameters["fields"]
        let docs =
            found(number, call, in: world).map { writer, document in [writer.work(document, fields: fields)] } ?? []
        let body: JSONValue = [
            "numFound": .integer(docs.count), "start": 0, "numFoundExact": true, "num_found": .integer(docs.count),
            "documentation_url": "https://openlibrary.example/dev/docs/api/search", "q": .string(q), "offset": .null,
            "docs": .array(docs),
        ]
        return .of(200, contentType, Body.plain.bytes(body))
    }

    /// The work of a number, and who writes it.
    private static func found(_ number: Int, _ call: Call, in world: World) -> (OpenLibraryWriter, Document)? {
        guard let item = world.topics.unpack(number),
            case let search = item.search,
            case let results = OpenLibraryResults(
                search.query,
                variant: search.variant,
                order: .relevance,
                at: call.instant,
                in: world
            ),
            let document = results.listing.document(index: item.index)
        else { return nil }
        return (OpenLibraryWriter(search: search.key, topic: results.topic), document)
    }
}

/// The works that a search of Open Library finds.
struct OpenLibraryResults {
    let search: TopicMemory.Search
    let topic: Topic
    let listing: Listing

    init(_ query: String, variant: String = "", order: Order, at instant: Int64, in world: World) {
        search = TopicMemory.Search(query: query, variant: variant)
        topic = Topic(query)
        let name = "openlibrary.books" + (variant.isEmpty ? "" : " \(variant)")
        listing = world.listing(name, topic, share: OpenLibrarySearch.share, order: order, at: instant)
    }

    /// Everything that a walk over the pages can reach, in order.
    static func truth(_ query: String, sort: String?, at instant: Int64, in world: World) -> SandboxTruth? {
        guard let order = OpenLibrarySearch.sorts[sort ?? ""] else { return nil }
        let results = OpenLibraryResults(query, order: order, at: instant, in: world)
        let search = results.search.key
        let ids = results.listing.documents(0, .max / 2).map { OpenLibraryWriter.key(search, $0.index) }
        return SandboxTruth(total: results.listing.count, reachable: ids.count, ids: ids)
    }
}
