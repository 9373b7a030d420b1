package import Catalogue
package import SearchModel

/// What the engine must know of a source to plan a search over it.
package struct SourceProfile: Sendable {
    package var name: SourceName
    package var kind: Kind
    /// The orders the source itself knows; others the daemon makes of what it has.
    package var sorts: Set<Sort>
    /// Hits of a full upstream page.
    package var pageSize: Int
    /// How long its answers may be used.
    package var freshness: Freshness
    /// What its hits count for beside those of others when several lists are merged by relevance; 1 is usual.
    package var weight: Double
    /// What it refuses to search for.
    package var queryRules: QueryRules
    /// After how long a hit is half as new, of a kind that lives by it; nil when age does not matter.
    package var halfLife: Duration?
    /// The languages of its hits, as `ko`; none when it has any.
    package var languages: [String]
    /// Whether it can be asked for the record of one item.
    package var hasLookup: Bool
    /// Why the source can't be asked; nil when it can.
    package var unavailable: SearchError?
    /// Of what is configured under this name.
    package var edition: UInt32
    /// What it is when it holds data of the user who asks.
    var own: OwnSource?

    package init(
        name: SourceName,
        kind: Kind,
        sorts: Set<Sort>,
        pageSize: Int,
        freshness: Freshness,
        weight: Double = 1,
        queryRules: QueryRules = .none,
        halfLife: Duration? = nil,
        languages: [String] = [],
        hasLookup: Bool = false,
        unavailable: SearchError? = nil,
        edition: UInt32 = 0
    ) {
        self.name = name
        self.kind = kind
        self.sorts = sorts
        self.pageSize = pageSize
        self.freshness = freshness
        self.weight = weight
        self.queryRules = queryRules
        self.halfLife = halfLife
        self.languages = languages
        self.hasLookup = hasLookup
        self.unavailable = unavailable
        self.edition = edition
    }

    /// Whether its pages come in this order; by relevance every source gives its own.
    package func makes(_ sort: Sort) -> Bool {
        sort == .relevance || sorts.contains(sort)
    }
}
