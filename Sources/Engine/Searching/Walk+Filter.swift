import SearchModel

/// A list of which a filter leaves hits out: how far it has looked, and which part of the whole list a window covers.
///
/// Positions that clients carry are those of the list without the filter, so that what was looked at once is passed
/// over for good.
extension Walk {
    var filter: HitFilter? { pool.filter }

    /// How many hits of the whole list have been looked at.
    var looked: Int { pool.looked }

    /// Whether no search wants it to look any further.
    var hasLookedEnough: Bool { filter != nil && looked >= lookedLimit }

    /// A search may look so far from now on.
    mutating func look(upTo limit: Int) {
        lookedLimit = max(lookedLimit, limit)
    }

    /// Where a search's window begins among the merged hits, counted as `end` is.
    func start(of request: SearchRequest) -> Int {
        guard filter != nil else { return request.cursor?.position ?? request.offset }
        return request.cursor.map { Self.count(pool.positions, upTo: $0.position) } ?? request.offset
    }

    /// Whether a cursor may point there.
    func mayContinue(at position: Int, _ request: SearchRequest) -> Bool {
        position <= (filter == nil ? max(end, request.offsetLimit) : looked)
    }

    /// Where the list goes on behind a window.
    func position(behind window: ArraySlice<HitPosition>, of request: SearchRequest, from start: Int) -> Int {
        guard filter != nil else { return max(start + window.count, base) }
        guard window.count == request.limit, let last = window.indices.last else { return looked }
        return pool.positions[last] + 1
    }

    /// What a search has looked at up to a position, and kept; nil without a filter.
    func filtered(_ request: SearchRequest, upTo position: Int) -> FilteredCount? {
        guard filter != nil else { return nil }
        let start = request.cursor?.position ?? 0
        func count(_ positions: [Int]) -> Int {
            Self.count(positions, upTo: position) - Self.count(positions, upTo: start)
        }
        return FilteredCount(looked: position - start, kept: count(pool.positions), undated: count(pool.undated))
    }

    /// Whether a source gives the newest first and has come to hits that are all too old.
    func hasPassedFilter(_ index: Int, _ page: CachedPage) -> Bool {
        guard let filter, sort == .recency, sources[index].profile.makes(sort),
            let last = page.entries.last(where: { $0.publishedSeconds != nil })
        else { return false }
        return filter.hasPassed(last, of: page.bytes)
    }

    /// How many of some positions, in ascending order, are before another.
    ///
    /// - Complexity: O(log n)
    private static func count(_ positions: [Int], upTo position: Int) -> Int {
        var (low, high) = (0, positions.count)
        while low < high {
            let middle = (low + high) / 2
            if positions[middle] < position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
