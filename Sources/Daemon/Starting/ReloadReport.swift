import Catalogue
import Engine
import JSON
import RPC
import SearchModel

/// What a reload has changed: keys of the configuration, and sources.
struct ReloadReport: Equatable, Sendable {
    /// Changes of these keys take effect only at the next start.
    private static let startKeys = [
        "socket", "stateDirectory", "cacheDirectory", "disk.cacheBytes", "fleet.url", "fleet.user", "fleet.password",
        "fleet.prefix", "fleet.offlineShare",
    ]

    let changed: [String]
    let sourcesAdded: [SourceName]
    let sourcesRemoved: [SourceName]
    let sourcesChanged: [SourceName]

    var needsRestart: [String] { Self.startKeys.filter(changed.contains) }

    init(from before: ConfigurationLoader.Loaded, to after: ConfigurationLoader.Loaded) {
        let keys = Self.changedKeys(before.configuration.written, after.configuration.written)
        let accounts = Self.changedAccounts(before.registry, after.registry)
        changed = Set(keys + accounts).sorted()
        let (old, new) = (before.registry, after.registry)
        sourcesAdded = new.all.map(\.source.name).filter { old[$0] == nil }
        sourcesRemoved = old.all.map(\.source.name).filter { new[$0] == nil }
        sourcesChanged = new.all.filter { source in
            guard let old = old[source.source.name] else { return false }
            return !after.keepsPages(of: old, for: source, since: before) || old.ttl != source.ttl
                || old.limits != source.limits
        }
        .map(\.source.name)
    }

    private static func changedKeys(_ old: JSONValue, _ new: JSONValue) -> [String] {
        names(old, new).filter { old[$0] != new[$0] }.flatMap { name in
            let (old, new) = (old[name] ?? [:], new[name] ?? [:])
            let members = names(old, new)
            return members.isEmpty ? [name] : members.filter { old[$0] != new[$0] }.map { "\(name).\($0)" }
        }
    }

    private static func names(_ old: JSONValue, _ new: JSONValue) -> Set<String> {
        Set(((old.members ?? []) + (new.members ?? [])).map(\.name))
    }

    /// Compares the secrets, because they can change while the configuration file stays the same.
    private static func changedAccounts(_ old: SourceRegistry, _ new: SourceRegistry) -> [String] {
        func secrets(_ registry: SourceRegistry) -> [String: [String: Secret]] {
            Dictionary(registry.all.map { ($0.source.account, $0.access.secrets) }, uniquingKeysWith: { $1 })
        }
        let (old, new) = (secrets(old), secrets(new))
        return Set(old.keys).union(new.keys).filter { old[$0] ?? [:] != new[$0] ?? [:] }.map { "accounts.\($0)" }
    }

    func write(to writer: inout JSONWriter) {
        writer.member(.changed, changed)
        writer.object(.sources) { writer in
            writer.member(.added, sourcesAdded.map(\.text))
            writer.member(.removed, sourcesRemoved.map(\.text))
            writer.member(.changed, sourcesChanged.map(\.text))
        }
        writer.member(.needsRestart, needsRestart)
    }

    var line: String {
        let parts = [
            ("changed", changed), ("new sources:", sourcesAdded.map(\.text)),
            ("removed sources:", sourcesRemoved.map(\.text)), ("changed sources:", sourcesChanged.map(\.text)),
            ("restart needed for", needsRestart),
        ]
        .filter { !$1.isEmpty }
        .map { "\($0) \($1.joined(separator: ", "))" }
        return parts.isEmpty ? "reloaded without changes" : "reloaded: \(parts.joined(separator: "; "))"
    }
}

extension ConfigurationLoader.Loaded {
    func keepsPages(
        of old: ConfiguredSource,
        for new: ConfiguredSource,
        since before: ConfigurationLoader.Loaded
    ) -> Bool {
        let account = new.source.account
        let isBuiltIn = old.source.trust == .builtIn && new.source.trust == .builtIn
        return (isBuiltIn || before.files.hash(ofAccount: account) == files.hash(ofAccount: account))
            && old.source.trust == new.source.trust && old.access.settings == new.access.settings
            && old.access.baseURL == new.access.baseURL && old.isEnabled == new.isEnabled
            // The source's address may depend on which secrets exist, not on their values.
            && Set(old.access.secrets.keys) == Set(new.access.secrets.keys)
    }
}
