import Catalogue
import Engine
import EventLoop
import JSON
import RPC
import SearchModel
import Upstream

/// Writes the answer of `source/list`.
struct SourceListing {
    let registry: SourceRegistry
    let upstream: [SourceName: UpstreamFigures.OfSource]
    let standings: [SourceName: SourceAvailability]
    /// Whether this user can have own data; nil if the daemon stores no data of users.
    var own: Bool?
    let now: Int64

    func write(to writer: inout JSONWriter) {
        var rest = registry.refused[...]
        writer.array(.sources) { writer in
            for source in registry.all {
                while let refused = rest.first, refused.identity.name < source.source.name {
                    write(rest.removeFirst(), to: &writer)
                }
                write(source, to: &writer)
            }
            for refused in rest { write(refused, to: &writer) }
            if let own {
                for content in OwnSource.Content.allCases {
                    Self.write(OwnSource(content), isEnabled: own, to: &writer)
                }
            }
        }
        writer.array(.profiles) { writer in
            for profile in registry.profiles { write(profile, to: &writer) }
        }
    }

    private func write(_ profile: Profile, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(.name, profile.name)
            writer.member(.about, profile.about)
            writer.member(.sources, registry.members(of: profile).map(\.text))
            let off = registry.membersOff(of: profile)
            if !off.isEmpty { writer.member(.off, off.map(\.text)) }
        }
    }

    private func write(_ configured: ConfiguredSource, to writer: inout JSONWriter) {
        let source = configured.source
        writer.object { writer in
            writer.member(.source, source.name.text)
            writer.member(.kind, source.kind.text)
            writer.member(.account, source.account)
            writer.member(.title, source.title)
            writer.member(.enabled, configured.unavailable == nil)
            if configured.unavailable != nil {
                writer.member(.reason, (configured.isEnabled ? DisabledReason.notConfigured : .disabled).rawValue)
            }
            writer.member(.keyNeeded, !source.keyless)
            writeKeys(configured, to: &writer)
            write(configured.limits, to: &writer)
            writer.array(.quota) { writer in
                for quota in standings[source.name]?.quotas ?? [] { quota.write(to: &writer) }
            }
            let (health, since) = health(of: source.name)
            writer.member(.health, health.rawValue)
            writer.member(.since, since.map(RFC3339.text))
            writer.member(.stopped, standings[source.name]?.stopped)
            writeFailure(of: source.name, to: &writer)
            writer.member(.attribution, source.attribution)
            writer.member(.options, source.optionsJSON)
        }
    }

    /// Writes the name of each secret and whether the secret is stored, but never the secret itself.
    private func writeKeys(_ configured: ConfiguredSource, to writer: inout JSONWriter) {
        let ways = configured.source.shared.access.filter { !$0.secrets.isEmpty }
        guard !ways.isEmpty else { return }
        writer.array(.keys) { writer in
            for way in ways {
                writer.object { writer in
                    writer.member(.way, way.name)
                    writer.array(.secrets) { writer in
                        for name in way.secrets {
                            writer.object { writer in
                                writer.member(.name, name)
                                let about = configured.source.shared.secrets.first { $0.name == name }?.about
                                writer.member(.about, about.map { $0 + configured.upstream.quotas.priceNote })
                                writer.member(.present, configured.access.secrets[name] != nil)
                            }
                        }
                    }
                }
            }
        }
    }

    private func write(_ limits: Limits, to writer: inout JSONWriter) {
        writer.object(.limits) { writer in
            writer.member(.perSecond, limits.perSecond)
            writer.member(.perDay, limits.perDay)
            writer.member(.concurrency, limits.concurrency)
        }
    }

    private func health(of source: SourceName) -> (HealthState, Int64?) {
        let standing = standings[source]
        let since = standing?.lasting.map { now - $0.components.seconds }
        switch standing?.state {
        case .suspended: return (.suspended, since)
        case .waiting: return (.waiting, since)
        case .free, nil: break
        }
        let failingSince = upstream[source]?.health.failingSince
        return (failingSince == nil ? .ok : .failing, failingSince)
    }

    private func writeFailure(of source: SourceName, to writer: inout JSONWriter) {
        guard let failure = upstream[source]?.health.failure else { return }
        writer.object(.failure) { writer in
            writer.member(.failures, failure.count)
            writer.member(.kind, failure.kind.rawValue)
            writer.member(.message, failure.message)
            writer.member(.status, failure.status)
            // The wait is rounded up, because the source must not be called too early.
            let wait = standings[source]?.retryAfter
            writer.member(.retryAfter, wait.map { Int(($0.saturatingNanoseconds + 999_999) / 1_000_000) })
        }
    }

    private static func write(_ source: OwnSource, isEnabled: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            writeHead(source.name, source.kind, source.title, isEnabled ? nil : .notConfigured, to: &writer)
            writer.member(.local, true)
            writer.member(.health, HealthState.ok.rawValue)
        }
    }

    private func write(_ refused: RefusedSource, to writer: inout JSONWriter) {
        let identity = refused.identity
        writer.object { Self.writeHead(identity.name, identity.kind, identity.title, .invalid, to: &$0) }
    }

    private static func writeHead(
        _ name: SourceName,
        _ kind: Kind?,
        _ title: String?,
        _ reason: DisabledReason?,
        to writer: inout JSONWriter
    ) {
        writer.member(.source, name.text)
        writer.member(.kind, kind?.text)
        writer.member(.account, name.account)
        writer.member(.title, title)
        writer.member(.enabled, reason == nil)
        writer.member(.reason, reason?.rawValue)
        writer.object(.limits) { _ in }
        writer.array(.quota) { _ in }
        writer.member(.options, .object([]))
    }
}

extension QuotaFigures {
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member(.name, name)
            writer.member(.unit, quota.currency)
            writer.member(.limit, limit, of: quota)
            writer.member(.used, used, of: quota)
            writer.member(.left, left, of: quota)
            if quota.currency != nil { writer.member(.cost, quota.cost, of: quota) }
            writer.member(.resetsAt, resetsAt.text)
            writer.member(.forecast, forecast?.text)
            if isGuess { writer.member(.estimated, true) }
        }
    }
}

extension JSONWriter {
    mutating func member(_ name: Member, _ amount: Int, of quota: Quota) {
        self.name(name)
        self.amount(amount, of: quota)
    }

    mutating func amount(_ amount: Int, of quota: Quota) {
        if quota.currency == nil { integer(amount) } else { raw(Array(Money.decimal(amount).utf8)) }
    }
}

extension [Quota] {
    fileprivate var priceNote: String {
        let paid = filter { $0.currency != nil }
        guard let first = paid.first else { return "" }
        let budgets = paid.map { "\($0.text($0.limit)) a \($0.period)" }.joined(separator: " and ")
        return "; each call costs up to \(first.text(first.cost)), in all at most \(budgets)"
    }
}
