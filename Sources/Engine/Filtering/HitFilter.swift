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

    /// What is to become of a hit.
    enum Verdict {
        case kept
        case leftOut
        /// It would be kept, were there a date to compare.
        case undated
    }

    /// Whether a hit of a page is wanted.
    ///
    /// - Complexity: O(n) in the bytes of the hit.
    func verdict(on entry: CachedPage.Entry, of bytes: [UInt8]) -> Verdict {
        guard !isEmpty else { return .kept }
        let hit = FilteredHit(entry, of: bytes, looksFor: has)
        if let site, !(hit.url.map(site.holds) ?? false) { return .leftOut }
        guard hit.hasAll else { return .leftOut }
        guard isDated else { return .kept }
        guard let published = hit.published else { return .undated }
        let isWanted =
            since.map { published.end(in: $0) > $0.begin } != false
            && until.map { published.begin(in: $0) < $0.end } != false
        return isWanted ? .kept : .leftOut
    }

    /// Whether a hit was surely published before all that is wanted: in a list of the newest first nothing wanted
    /// follows.
    func hasPassed(_ entry: CachedPage.Entry, of bytes: [UInt8]) -> Bool {
        guard let since, let published = FilteredHit(entry, of: bytes, looksFor: []).published else { return false }
        return published.end(in: since) <= since.begin
    }
}

/// How many hits a filter has looked at, how many of them it kept, and how many it left out for want of a date alone.
package struct FilteredCount: Equatable, Sendable {
    package let looked: Int
    package let kept: Int
    package var undated = 0
}
