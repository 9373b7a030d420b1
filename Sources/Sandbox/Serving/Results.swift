import JSON

/// The documents that a search finds, and the requested page of them.
struct Results {
    let search: SearchMemory.Search
    let topic: Topic
    let listing: Listing
    let offset: Int
    let size: Int
    let reachable: Int
    private let repeatsLast: Bool

    init(
        _ query: String,
        _ endpoint: Endpoint,
        _ search: JSONValue,
        _ api: API,
        _ variables: [String: JSONValue],
        _ options: SandboxOptions,
        arrivals: Int
    ) {
        topic = Topic(query)
        let kept = (search["keep"]?.array ?? []).compactMap { name in
            variables[name.plainText].map { (name.plainText, $0.plainText) }
        }
        self.search = SearchMemory.Search(
            form: endpoint.form,
            query: query,
            kept: Dictionary(uniqueKeysWithValues: kept)
        )
        let variant = kept.map { "\($0)=\($1)" }.joined(separator: "&")
        let sort = variables[endpoint.sortParameter]?.plainText
        listing = Listing(
            source: "\(api.account) \(endpoint.form) \(variant)",
            seed: options.seed,
            topic: topic,
            share: endpoint["share"]?.double ?? 0,
            order: endpoint.sorts.first { $0.name == sort }.map { Order($0.value.plainText) } ?? .relevance,
            arrivals: arrivals
        )
        let page = search["pages"] ?? search["items"] ?? .null
        size = variables[page[2]?.string ?? ""]?.int ?? 0
        let least = page[1]?.int ?? 0
        let first = max(0, (variables[page[0]?.string ?? ""]?.int ?? least) - least)
        let product = first.multipliedReportingOverflow(by: search["pages"] == nil ? 1 : size)
        offset = product.overflow ? .max / 2 : product.partialValue
        reachable = min(listing.count, endpoint["ceiling"]?.int ?? .max)
        repeatsLast = search["repeatsLast"] == true
    }

    private var positions: Range<Int> {
        if offset < reachable { return offset..<min(offset + size, reachable) }
        return repeatsLast && reachable > 0 && size > 0 ? (reachable - 1) / size * size..<reachable : 0..<0
    }

    var isEnd: Bool { offset + size >= reachable }

    var documents: [Document] { positions.map(listing.document) }

    func set(_ variables: inout [String: JSONValue], count: Int, total: Int) {
        variables["count"] = .integer(count)
        variables["total"] = .integer(total)
        variables["reachable"] = .integer(reachable)
        variables["offset"] = .integer(offset)
        variables["next"] = .integer(offset + size)
        variables["isEnd"] = .bool(isEnd)
        variables["pageCount"] = .integer(size == 0 ? 0 : (reachable + size - 1) / size)
    }
}

/// The latest searches, because a later request can ask for one of their items by id.
struct SearchMemory: Sendable {
    private static let searchesMax = 4_096

    struct Search: Equatable, Sendable {
        let form: String
        let query: String
        let kept: [String: String]

        var key: Int {
            let variant = kept.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
            return Int(Dice.mix(Topic(query).key ^ Dice.hash("\(form) \(variant)")) & 0xFF_FFFF)
        }
    }

    private var searches: [Int: Search] = [:]
    private var order: [Int] = []

    mutating func remember(_ search: Search) -> Int {
        let key = search.key
        guard searches.updateValue(search, forKey: key) == nil else { return key }
        order.append(key)
        if order.count > Self.searchesMax { searches[order.removeFirst()] = nil }
        return key
    }

    static func id(_ key: Int, _ index: Int) -> Int { key << 24 | (index & 0xFF_FFFF) }

    subscript(id id: Int) -> (search: Search, key: Int, index: Int)? {
        searches[id >> 24].map { ($0, id >> 24, id & 0xFF_FFFF) }
    }
}
