import JSON

/// The documents that a search finds, and the positions on the page it asks for.
struct Results {
    /// With filters, this many documents are looked at.
    private static let scanMax = 20_000
    /// Overlapping pages repeat items of the page before.
    ///
    /// Every fortieth position and the next show again what was three positions before. So pages of 10, 20 or 40 begin with repeats, and a walk by index still meets everything.
    private static let period = 40
    private static let repeats = 2

    let topic: Topic
    let memory: SearchMemory.Search
    let listing: Listing
    let offset: Int
    /// How many items the page may have.
    let size: Int
    /// How many documents match, and how many of them can be reached.
    private(set) var count: Int
    private(set) var reachable: Int
    private let search: Search
    private let step: Int
    private let repeatsLast: Bool
    private let overlaps: Bool
    private let holdsBack: Bool
    /// The documents that pass the filters; nil without filters.
    private var passed: [Document]?

    /// Finds what the query has at an endpoint, once the request was checked.
    init(
        _ endpoint: Endpoint,
        _ search: Search,
        _ api: API,
        _ scope: Scope,
        query: String,
        in world: World,
        at instant: Int64
    ) {
        self.search = search
        /// Whether the quirk is on that a member of the search names.
        func isOn(_ name: String) -> Bool {
            search[name]?.string.map { world.options.quirks.values[$0]?.isSet ?? false } ?? false
        }
        var kept: [String: String] = [:]
        for (name, usual) in search.kept {
            let value = scope.variables[name]?.plainText ?? usual
            if value != usual { kept[name] = value }
        }
        var query = query
        var size = max(0, scope.fill(search.first[2]).int ?? 0)
        if isOn("unrelated"), Topic(query).abundance == 0, !Topic(query).words.isEmpty {
            // Words that nothing matches still find one to three documents about something else.
            var dice = Dice(Topic(query).key, 0x0DD)
            query = dice.pick(Vocabulary.english.nouns)
            size = min(size, dice.roll(1...3))
        }
        topic = Topic(query)
        memory = SearchMemory.Search(query: query, kept: kept)
        let sort = scope.variables[search.sortParameter]?.plainText ?? ""
        listing = Listing(
            source: "\(api.sourcePrefix) \(endpoint.form) \(memory.variant)",
            seed: world.options.seed,
            topic: topic,
            share: kept.isEmpty ? search.share : search.share / (search["narrowed"]?.double ?? 1),
            order: search.sorts?.first { $0.word == sort }?.order ?? .relevance,
            arrivals: world.arrivals(at: instant)
        )
        step = max(1, min(search.number("step", scope) ?? 1, max(1, listing.count)))
        count = (listing.count + step - 1) / step
        let first = (scope.fill(search.first[0]).int ?? 0) - (scope.fill(search.first[1]).int ?? 0)
        let product = first.multipliedReportingOverflow(by: search["pages"] != nil ? size : 1)
        offset = search.number("offset", scope) ?? max(0, product.overflow ? .max / 2 : product.partialValue)
        let ceiling = search.number("ceiling", scope) ?? .max
        reachable = search["isVague"] == true ? Self.vague(count, ceiling, topic.key) : min(count, ceiling)
        repeatsLast = isOn("repeatsLast")
        overlaps = isOn("overlaps") && count > Self.period
        holdsBack = isOn("holdsBack")
        if search["isShort"] == true, size < count {
            var dice = Dice(topic.key, 0x11_417)
            if size > 10, dice.chance(1, of: 3) { size -= dice.roll(1...3) }
        }
        self.size = size
        if let filters = search["filters"]?.string.flatMap({ scope.variables[$0] }).flatMap({
            NumericFilter.list($0.plainText)
        }),
            !filters.isEmpty
        {
            filter(by: filters, scope, endpoint, ceiling)
        }
    }

    /// Somewhat below the ceiling, and below the total when that is small.
    private static func vague(_ total: Int, _ ceiling: Int, _ key: UInt64) -> Int {
        var dice = Dice(key, UInt64(ceiling))
        if total > ceiling { return ceiling - dice.roll(ceiling / 25) }
        return total < 20 ? total : total - dice.roll(total / 7 + 1)
    }

    private mutating func filter(by filters: [NumericFilter], _ scope: Scope, _ endpoint: Endpoint, _ ceiling: Int) {
        var scope = scope
        scope.lets = endpoint.lets
        let scanned = min(listing.count, Self.scanMax)
        let found = listing.documents(0, scanned).filter { document in
            let record = Scope.Record(document, topic: topic, twins: 0)
            return filters.allSatisfy { filter in
                let template = scope.lets[filter.figure]
                return filter.holds(for: template.map { scope.fill($0, for: record).int ?? 0 } ?? document.date.seconds)
            }
        }
        count = scanned == 0 ? 0 : found.count * listing.count / scanned
        passed = Array(found.prefix(ceiling))
        reachable = passed?.count ?? 0
    }

    // MARK: Pages

    /// The number of positions, repeats included.
    private var length: Int {
        guard overlaps else { return reachable }
        let rest = reachable - 1 - Self.period
        let step = Self.period - Self.repeats
        return Self.period * (1 + rest / step) + Self.repeats + rest % step + 1
    }

    private func index(at position: Int) -> Int {
        guard overlaps else { return position }
        let (block, rest) = position.quotientAndRemainder(dividingBy: Self.period)
        if block > 0, rest < Self.repeats { return index(at: position - Self.repeats - 1) }
        return (Self.period - Self.repeats) * block + rest
    }

    /// The positions on the page; past the last, those of the last page again where the API does so.
    var positions: Range<Int> {
        if offset < length { return offset..<min(offset + size, length) }
        guard repeatsLast, reachable > 0, size > 0 else { return 0..<0 }
        return ((reachable - 1) / size * size)..<reachable
    }

    var isEnd: Bool { offset + size >= length }

    var documents: [Document] {
        positions.map { document(at: index(at: $0)) }.filter { !isHeldBack($0) }
    }

    /// Everything that a walk over the pages can find, in order.
    var reachableDocuments: [Document] {
        (0..<reachable).map { document(at: $0) }.filter { !isHeldBack($0) }
    }

    private func document(at position: Int) -> Document {
        passed?[position] ?? listing.document(at: position * step)
    }

    /// One document in eleven is counted and numbered, but never shown.
    private func isHeldBack(_ document: Document) -> Bool {
        holdsBack && Dice.mix(document.serial) % 11 == 0
    }

    /// The total that the API claims: an estimate that moves where it does.
    func total(_ scope: Scope, drifts: Bool) -> Int {
        guard drifts, search.drift.count == 4, count > scope.fill(search.drift[3]).int ?? 0 else { return count }
        var dice = Dice(Dice.hash(scope.text(search.drift[0])), topic.key)
        return count + count
            * dice.roll((scope.fill(search.drift[1]).int ?? 0)...(scope.fill(search.drift[2]).int ?? 0)) / 10_000
    }
}
