package import Catalogue
package import SearchModel

/// The properties of a source for planning a search.
package struct SourceProfile: Sendable {
    package var name: SourceName
    package var kind: Kind
    /// The orders in which the source can sort; in other orders, the daemon sorts.
    package var sorts: Set<Sort>
    /// The number of hits on a full page of the source.
    package var pageSize: Int
    /// How long its pages may be used.
    package var freshness: Freshness
    /// The weight of its hits when several lists are merged by relevance; the default is 1.
    package var weight = 1.0
    /// The queries that it rejects.
    package var queryRules = QueryRules.none
    /// The half-life of a hit's novelty, for kinds where age matters; nil otherwise.
    package var halfLife: Duration?
    /// The languages of its hits, such as `ko`; empty for any language.
    package var languages: [String] = []
    /// Whether it may be called for a search on a channel.
    package var whileTyping = true
    /// Whether it can return the record of one item.
    package var hasLookup = false
    /// Why the source cannot be called; nil if it can.
    package var unavailable: SearchError?
    /// The number of the reload that added or replaced the source.
    package var edition: UInt32 = 0
    /// Set for a source of the user's own data.
    var own: OwnSource?

    /// Whether the source returns its pages in this order; every source returns them by relevance.
    package func makes(_ sort: Sort) -> Bool {
        sort == .relevance || sorts.contains(sort)
    }
}
