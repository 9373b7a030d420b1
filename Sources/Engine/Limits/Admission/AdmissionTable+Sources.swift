package import Catalogue
import EventLoop
import SearchModel

/// Which sources there are, and within which limits.
extension AdmissionTable {
    /// Replaces the sources and their limits; keeps what is known of sources that stay.
    ///
    /// A limit that the configuration raises for one source raises the account's limit with it.
    ///
    /// - Parameter sources: All sources.
    /// - Returns: Those that waited for a source that is not among them.
    mutating func configure(_ sources: [ConfiguredSource]) -> [WaiterID] {
        let byAccount = Dictionary(grouping: sources) { $0.source.account }
        for name in accounts.keys where byAccount[name] == nil { accounts[name] = nil }
        for (name, sources) in byAccount { configure(name, sources) }
        let names = Set(sources.map(\.source.name))
        return removed { !names.contains($0) }
    }

    private mutating func configure(_ name: String, _ sources: [ConfiguredSource]) {
        let shared = Self.sharedLimits(sources)
        var quotas: [String: Quota] = [:]
        for source in sources {
            for quota in source.quotas where quota.scope == .account {
                let known = quotas[quota.name].map { $0.limit >= quota.limit } ?? false
                if !known { quotas[quota.name] = quota }
            }
        }
        let perMinute = Self.perMinute(quotas.values)
        var account = accounts[name] ?? AccountLimitState(gate: Gate(shared, perMinute: perMinute), slots: .max)
        account.gate.change(shared, perMinute: perMinute)
        account.slots = shared.concurrency ?? .max
        for old in account.sources.keys where !sources.contains(where: { $0.source.name == old }) {
            account.sources[old] = nil
        }
        for quota in quotas.values { book.keep(quota, as: QuotaKey(owner: name, name: quota.name)) }
        for source in sources { account.sources[source.source.name] = line(for: source, account) }
        accounts[name] = account
    }

    private mutating func line(for configured: ConfiguredSource, _ account: AccountLimitState) -> SourceLimitState {
        let name = configured.source.name
        let own = configured.quotas.filter { $0.scope == .source }
        for quota in own { book.keep(quota, as: QuotaKey(owner: name.text, name: quota.name)) }
        let perMinute = Self.perMinute(own)
        let bounds = 1...max(configured.limits.concurrency ?? Gate.concurrencyDefault, 1)
        var line =
            account.sources[name]
            ?? SourceLimitState(name: name, gate: Gate(configured.limits, perMinute: perMinute), bounds: bounds)
        line.gate.change(configured.limits, perMinute: perMinute)
        if line.concurrency.bounds != bounds { line.concurrency = AdaptiveConcurrency(bounds: bounds) }
        line.quotas = configured.quotas.map { configured.key(of: $0) }
        line.hasOwnQuota = !own.isEmpty
        return line
    }

    /// What the account's file says, or more where the configuration lets one of its sources do more.
    private static func sharedLimits(_ sources: [ConfiguredSource]) -> Limits {
        var shared = sources.first?.source.accountLimits ?? Limits()
        for source in sources {
            if let rate = shared.perSecond, let own = source.limits.perSecond, own > rate { shared.perSecond = own }
            if let count = shared.concurrency, let own = source.limits.concurrency, own > count {
                shared.concurrency = own
            }
        }
        return shared
    }

    private static func perMinute(_ quotas: some Sequence<Quota>) -> Int? {
        quotas.filter { $0.period == .minute }.map(\.limit).min()
    }
}

extension ConfiguredSource {
    /// The quotas that a call uses: as the files declare them, with the configuration's `perDay` instead of daily ones.
    package var quotas: [Quota] {
        guard let perDay = limits.perDay else { return source.quotas }
        var quotas = source.quotas.map { quota in
            guard quota.period == .day else { return quota }
            // The account's quota is shared: it is only raised, and another source's calls count there, too.
            return quota.limited(to: quota.scope == .source ? perDay : max(quota.limit, perDay))
        }
        if !quotas.contains(where: { $0.period == .day && $0.scope == .source }) {
            let day = source.quotas.first { $0.period == .day }
            quotas.append(
                Quota(
                    name: "\(source.name)-day",
                    limit: perDay,
                    period: .day,
                    scope: .source,
                    resetMinute: day?.resetMinute ?? 0,
                    zone: day?.zone ?? .fixed(minutes: 0)
                )
            )
        }
        return quotas
    }

    /// Whose quota it is.
    func key(of quota: Quota) -> QuotaKey {
        QuotaKey(owner: quota.scope == .account ? source.account : source.name.text, name: quota.name)
    }
}

extension Quota {
    fileprivate func limited(to limit: Int) -> Quota {
        Quota(name: name, limit: limit, period: period, scope: scope, resetMinute: resetMinute, zone: zone)
    }
}
