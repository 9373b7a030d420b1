package import Catalogue
package import SearchModel

/// The properties of a source with which a search is planned.
package struct SourceProfile: Sendable {
    package var name: SourceName
    package var kind: Kind
    /// The orders of the source itself; the daemon makes the others.
    package var sorts: Set<Sort>
    /// Hits of a full upstream page.
    package var pageSize: Int
    /// How long its answers may be used.
    package var freshness: Freshness
    /// The weight of its hits when several lists are merged by relevance; 1 is usual.
    package var weight = 1.0
    /// The queries that it refuses.
    package var queryRules = QueryRules.none
    /// After how long a hit is half as new, of a kind that lives by it; nil when age does not matter.
    package var halfLife: Duration?
    /// The languages of its hits, as `ko`; none when it has any.
    package var languages: [String] = []
    /// Whether it can be asked for the record of one item.
    package var hasLookup = false
    /// Why the source can't be asked; nil when it can.
    package var unavailable: SearchError?
    /// Changes when the source is replaced in a reload.
    package var edition: UInt32 = 0
    /// Set for a source of the user's own data.
    var own: OwnSource?

    /// Whether its pages come in this order; by relevance every source gives its own.
    package func makes(_ sort: Sort) -> Bool {
        sort == .relevance || sorts.contains(sort)
    }
}
