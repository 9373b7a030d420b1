import Catalogue
import Engine
import JSON
import SearchModel

/// Finds out what differs between what was loaded before and what is loaded now; pure.
struct ReloadComparison {
    let before: ConfigurationLoader.Loaded
    let after: ConfigurationLoader.Loaded

    /// What is used once, at the start.
    private static let startKeys = ["socket", "stateDirectory", "cacheDirectory"]
    /// Their members are told apart.
    private static let groups: Set = ["accounts", "sources", "profiles", "memory", "history", "log"]

    var report: ReloadReport {
        let changed = Set(differences(before.configuration.written, after.configuration.written)).union(newSecrets)
        let (old, new) = (before.directory, after.directory)
        return ReloadReport(
            changed: changed.sorted(),
            sourcesAdded: new.all.map(\.source.name).filter { old[$0] == nil },
            sourcesRemoved: old.all.map(\.source.name).filter { new[$0] == nil },
            sourcesChanged: new.all.compactMap { source in
                old[source.source.name].flatMap { isAsBefore($0, source) ? nil : source.source.name }
            },
            needsRestart: Self.startKeys.filter(changed.contains)
        )
    }

    /// Whether pages of the first source may be used for the second, which has the same name.
    func keepsEdition(_ old: ConfiguredSource, _ new: ConfiguredSource) -> Bool {
        let isBuiltIn = old.source.trust == .builtIn && new.source.trust == .builtIn
        let account = new.source.account
        let areFilesAsBefore = before.files.hash(ofAccount: account) == after.files.hash(ofAccount: account)
        return (isBuiltIn || areFilesAsBefore) && old.source.trust == new.source.trust
            && old.access.settings == new.access.settings && old.access.baseURL == new.access.baseURL
            && old.isEnabled == new.isEnabled
            // Which secrets are there decides at which address a source is asked; what they are does not.
            && Set(old.access.secrets.keys) == Set(new.access.secrets.keys)
    }

    private func isAsBefore(_ old: ConfiguredSource, _ new: ConfiguredSource) -> Bool {
        keepsEdition(old, new) && old.ttl == new.ttl && old.limits == new.limits
    }

    private func differences(_ old: JSONValue, _ new: JSONValue) -> [String] {
        let names = Set(old.names).union(new.names)
        return names.flatMap { name -> [String] in
            guard old[name] != new[name] else { return [] }
            guard Self.groups.contains(name) else { return [name] }
            let (old, new) = (old[name] ?? [:], new[name] ?? [:])
            return Set(old.names).union(new.names).filter { old[$0] != new[$0] }.map { "\(name).\($0)" }
        }
    }

    /// The accounts whose secrets are others by now, although the configuration refers to the same ones.
    private var newSecrets: [String] {
        let (old, new) = (Self.secrets(before.directory), Self.secrets(after.directory))
        return Set(old.keys).union(new.keys).filter { old[$0] ?? [:] != new[$0] ?? [:] }.map { "accounts.\($0)" }
    }

    private static func secrets(_ directory: SourceDirectory) -> [String: [String: Secret]] {
        Dictionary(
            directory.all.map { ($0.source.account, $0.access.secrets) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}

extension JSONValue {
    fileprivate var names: [String] {
        if case .object(let members) = self { members.map(\.name) } else { [] }
    }
}
