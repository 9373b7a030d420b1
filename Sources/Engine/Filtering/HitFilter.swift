import SearchModel

/// Which hits of a merged list a search wants; pure.
///
/// What it says of a hit depends on the hit alone.
package struct HitFilter: Hashable, Sendable {
    /// Whose pages: a site, and those under it.
    package var site: Site?
    /// Nothing that was surely published earlier.
    package var since: DateBound?
    /// Nothing that was surely published later.
    package var until: DateBound?
    /// What a hit must have.
    package var has: [HitMember] = []

    package init() {}

    /// Whether it leaves nothing out.
    package var isEmpty: Bool { site == nil && !isDated && has.isEmpty }

    private var isDated: Bool { since != nil || until != nil }

    /// Whether a hit of a page is wanted.
    ///
    /// - Complexity: O(n) in the bytes of the hit.
    func keeps(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        if isDated, entry.publishedSeconds == nil { return false }
        guard site != nil || isDated || !has.isEmpty else { return true }
        let hit = FilteredHit(entry, of: bytes, looksFor: has)
        if let site, !(hit.url.map(site.holds) ?? false) { return false }
        guard hit.hasAll else { return false }
        guard let published = hit.published else { return !isDated }
        return since.map { published.end(in: $0) > $0.begin } != false
            && until.map { published.begin(in: $0) < $0.end } != false
    }

    /// Whether a hit was surely published before all that is wanted: in a list of the newest first nothing wanted follows.
    func hasPassed(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        guard let since, let published = FilteredHit(entry, of: bytes, looksFor: []).published else { return false }
        return published.end(in: since) <= since.begin
    }
}

/// How many hits a filter has looked at, and how many of them it kept.
package struct FilteredCount: Equatable, Sendable {
    package let looked: Int
    package let kept: Int
}
