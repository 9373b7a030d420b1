package import Catalogue
package import SearchModel

/// The properties of a source for planning a search.
package struct SourceProfile: Sendable {
    package var name: SourceName
    package var kind: Kind
    /// The orders in which the source can sort; the daemon sorts in other orders.
    package var sorts: Set<Sort>
    package var pageSize: Int
    package var freshness: Freshness
    /// The weight of the hits when several lists are merged by relevance; the default is 1.
    package var weight = 1.0
    package var queryRules = QueryRules.none
    /// The age at which the freshness of a hit has fallen to a half; nil if age does not matter.
    package var halfLife: Duration?
    /// The languages of the hits, such as `ko`; empty for any language.
    package var languages: [String] = []
    /// Whether the source may be called for a search that is sent while the user types.
    package var whileTyping = true
    package var hasLookup = false
    package var unavailable: SearchError?
    /// The number of the reload that added or replaced the source.
    package var edition: UInt32 = 0
    /// Set if the source contains the user's own data (saved or earlier hits).
    var own: OwnSource?

    /// Whether the source returns its pages in this order; every source can sort by relevance.
    package func makes(_ sort: Sort) -> Bool {
        sort == .relevance || sorts.contains(sort)
    }
}
