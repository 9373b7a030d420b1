/// The volumes that a query finds, and the page of them it asks for.
///
/// With overlaps the list has repeats: every fortieth position and the next show again what was three positions before.
/// So pages of 10, 20 or 40 begin with items of the page before, and a walk by `startIndex` still meets every volume.
struct GoogleResults {
    static let share = 0.000_3
    private static let period = 40
    private static let repeats = 2

    let query: GoogleQuery
    let listing: Listing
    private let overlaps: Bool
    private let holdsBack: Bool

    init(_ query: GoogleQuery, at instant: Int64, in world: World) {
        self.query = query
        let isNarrow = query.variant != GoogleQuery.Variant()
        listing = world.listing(
            "google.books \(query.variant.text)",
            Topic(query.text),
            share: isNarrow ? Self.share / 3 : Self.share,
            order: query.newest ? .newest : .relevance,
            at: instant
        )
        overlaps = world.options.quirks.googleOverlaps
        holdsBack = world.options.quirks.googleShortPages
    }

    /// How many volumes there really are.
    var count: Int { listing.count }

    /// What Google says there are: it depends on letter case, page and page size.
    var claimedTotal: Int {
        guard count > 5 else { return count }
        var dice = Dice(Dice.hash(query.typed), UInt64(query.startIndex), UInt64(query.maxResults))
        return count + count * dice.roll(-3...80) / 100
    }

    var documents: [Document] {
        let first = min(query.startIndex, length)
        return (first..<min(first + query.maxResults, length)).map { listing.document(at: index(at: $0)) }
            .filter { !isHeldBack($0) }
    }

    /// One volume in eleven is counted and numbered, but never shown.
    private func isHeldBack(_ document: Document) -> Bool {
        holdsBack && Dice.mix(document.serial) % 11 == 0
    }

    /// The number of positions, repeats included.
    private var length: Int {
        guard overlaps, count > Self.period else { return count }
        let rest = count - 1 - Self.period
        let step = Self.period - Self.repeats
        return Self.period * (1 + rest / step) + Self.repeats + rest % step + 1
    }

    private func index(at position: Int) -> Int {
        guard overlaps else { return position }
        let (block, rest) = position.quotientAndRemainder(dividingBy: Self.period)
        if block > 0, rest < Self.repeats { return index(at: position - Self.repeats - 1) }
        return (Self.period - Self.repeats) * block + rest
    }

    /// Everything that a walk over the pages meets, once each, in order.
    static func truth(_ typed: String, sort: String?, at instant: Int64, in world: World) -> SandboxTruth? {
        guard ["relevance", "newest"].contains(sort ?? "relevance") else { return nil }
        var variant = GoogleQuery.Variant()
        let text: String
        (text, variant.scope) = GoogleQuery.parse(typed)
        var query = GoogleQuery(text: text, typed: typed, variant: variant)
        query.newest = sort == "newest"
        let results = GoogleResults(query, at: instant, in: world)
        let search = TopicMemory.Search(query: text, variant: variant.text).key
        let ids = (0..<results.count).compactMap { position -> String? in
            let document = results.listing.document(at: position)
            return results.isHeldBack(document) ? nil : GoogleWriter.id(search, document.index)
        }
        return SandboxTruth(total: results.count, reachable: ids.count, ids: ids)
    }
}
