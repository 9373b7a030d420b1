package import Catalogue
package import SearchModel

/// A source together with what the configuration says of it.
///
/// An object, so that a search passes it on by one reference: it has some thirty.
package final class ConfiguredSource: Sendable {
    package let source: Source
    package let access: AccountAccess
    package let isEnabled: Bool
    package let ttl: Duration
    /// Its rate limits: as configured, or else the tighter of its own and its account's.
    package let limits: Limits
    /// What its hits count for beside those of others.
    package let weight: Double
    /// Why the source can't be asked; nil when it can.
    package let unavailable: SearchError?
    /// What the engine plans with.
    package let profile: SourceProfile

    /// Distinguishes it from what had its name before a reload; pages of two editions are never mixed.
    package var edition: UInt32 { profile.edition }

    /// Limits given here replace those that the source's file and its account declare, a `ttl` the file's.
    package init(
        source: Source,
        access: AccountAccess,
        isEnabled: Bool = true,
        ttl: Duration? = nil,
        limits: Limits = Limits(),
        weight: Double = 1
    ) {
        self.source = source
        self.access = access
        self.isEnabled = isEnabled
        self.ttl = ttl ?? source.ttl
        self.limits = source.limits.tightened(by: source.accountLimits).overridden(by: limits)
        self.weight = weight
        unavailable = Self.obstacle(source, access, isEnabled: isEnabled)
        profile = SourceProfile(
            name: source.name,
            kind: source.kind,
            sorts: Set(source.sorts),
            pageSize: source.pageSize,
            freshness: Freshness(ttl: self.ttl, negativeTTL: source.negativeTTL),
            weight: weight * source.weight,
            queryRules: source.queryRules,
            halfLife: source.halfLife,
            languages: source.languages,
            hasLookup: source.hasLookup,
            unavailable: unavailable
        )
    }

    private init(_ other: ConfiguredSource, edition: UInt32) {
        source = other.source
        access = other.access
        isEnabled = other.isEnabled
        ttl = other.ttl
        limits = other.limits
        weight = other.weight
        unavailable = other.unavailable
        var profile = other.profile
        profile.edition = edition
        self.profile = profile
    }

    /// The same, distinguished from others of its name.
    func editioned(_ edition: UInt32) -> ConfiguredSource {
        ConfiguredSource(self, edition: edition)
    }

    private static func obstacle(_ source: Source, _ access: AccountAccess, isEnabled: Bool) -> SearchError? {
        guard isEnabled else {
            return SearchError(
                .notConfigured,
                "\(source.name) is switched off in the configuration",
                source: source.name,
                retryable: false,
                hint: "Set sources.\"\(source.name)\".enabled to true."
            )
        }
        guard source.access(with: access.secrets.keys) == nil else { return nil }
        let missing = (source.access.first?.secrets ?? []).filter { access.secrets[$0] == nil }
        return SearchError(
            .notConfigured,
            "\(source.name) needs a key that is not configured",
            source: source.name,
            retryable: false,
            hint: SecretHint.set(missing, of: source.account, source.keyWays(access), with: access.keysCommand)
        )
    }
}
