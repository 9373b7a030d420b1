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
    /// Why the source can't be asked; nil when it can.
    package var unavailable: SearchError?

    package init(
        name: SourceName,
        kind: Kind,
        sorts: Set<Sort>,
        pageSize: Int,
        freshness: Freshness,
        unavailable: SearchError? = nil
    ) {
        self.name = name
        self.kind = kind
        self.sorts = sorts
        self.pageSize = pageSize
        self.freshness = freshness
        self.unavailable = unavailable
    }
}
