package import Catalogue
package import SearchModel
package import Upstream

/// A source with its configuration.
package final class ConfiguredSource: Sendable {
    package let upstream: UpstreamSource
    package let ttl: Duration
    package let weight: Double
    package let profile: SourceProfile

    package var source: Source { upstream.source }
    package var access: AccountAccess { upstream.access }
    package var isEnabled: Bool { upstream.isEnabled }
    package var limits: Limits { upstream.limits }
    package var quotas: [Quota] { upstream.quotas }
    package var unavailable: SearchError? { upstream.unavailable }
    /// The number of the configuration reload that last changed the source.
    package var edition: UInt32 { profile.edition }

    /// `limits` and `ttl` override the values in the source's file.
    package init(
        source: Source,
        access: AccountAccess,
        isEnabled: Bool = true,
        ttl: Duration? = nil,
        limits: Limits = Limits(),
        weight: Double = 1
    ) {
        upstream = UpstreamSource(source: source, access: access, isEnabled: isEnabled, limits: limits)
        self.ttl = ttl ?? source.ttl
        self.weight = weight
        profile = SourceProfile(
            name: source.name,
            kind: source.kind,
            sorts: Set(source.sorts),
            pageSize: source.paging.size,
            freshness: Freshness(ttl: self.ttl, negativeTTL: source.negativeTTL),
            weight: weight * source.weight,
            queryRules: source.queryRules,
            halfLife: source.halfLife,
            languages: source.languages,
            whileTyping: source.whileTyping,
            hasLookup: source.hasLookup,
            unavailable: upstream.unavailable
        )
    }

    private init(_ other: ConfiguredSource, edition: UInt32) {
        upstream = other.upstream
        ttl = other.ttl
        weight = other.weight
        var profile = other.profile
        profile.edition = edition
        self.profile = profile
    }

    func withEdition(_ edition: UInt32) -> ConfiguredSource {
        ConfiguredSource(self, edition: edition)
    }
}

/// The properties of a source that a search needs.
package struct SourceProfile: Sendable {
    package var name: SourceName
    package var kind: Kind
    /// The orders in which the source itself can sort.
    package var sorts: Set<Sort>
    package var pageSize: Int
    package var freshness: Freshness
    package var weight = 1.0
    package var queryRules = QueryRules()
    package var halfLife: Duration?
    package var languages: [String] = []
    package var whileTyping = true
    package var hasLookup = false
    package var unavailable: SearchError?
    package var edition: UInt32 = 0
    var own: OwnSource?

    /// Every source can sort by relevance.
    package func makes(_ sort: Sort) -> Bool {
        sort == .relevance || sorts.contains(sort)
    }
}
