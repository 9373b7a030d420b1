import Catalogue
import Engine
import JSON
import SearchModel

/// What is wrong with a configuration only in view of the sources there are; pure.
struct ConfigurationReview {
    let configuration: Configuration
    let catalogue: Catalogue
    let refused: [RefusedSource]
    let builtIn = Profile.builtIn()

    /// Every problem, in the order of the keys.
    var problems: [CatalogueError] {
        defaults + profiles + accounts + sources
    }

    private var defaults: [CatalogueError] {
        unknown(configuration.defaultSources ?? [], in: "defaultSources")
    }

    private var profiles: [CatalogueError] {
        configuration.profiles.flatMap { profile -> [CatalogueError] in
            let key = "profiles.\(profile.name)"
            let path = hasList(key) ? key : "\(key).sources"
            let unknown = unknown(profile.entries, in: path)
            guard let circle = circle(from: profile.name) else { return unknown }
            let message = "contains itself: \(circle.joined(separator: " contains "))"
            return unknown + [configuration.problem(key, message, hint: "Take one of them out.")]
        }
    }

    /// Whether a profile is written as a list alone.
    private func hasList(_ key: String) -> Bool { configuration.positions["\(key)[0]"] != nil }

    /// The problems of a list's entries that stand for no source.
    private func unknown(_ entries: [Profile.Entry], in key: String) -> [CatalogueError] {
        entries.enumerated().flatMap { index, entry in
            entry.alternatives.filter { !isKnown($0) }.map { selector in
                configuration.problem(
                    "\(key)[\(index)]",
                    "no source, account or profile is called \(selector.text)",
                    hint: hint(selector.text)
                )
            }
        }
    }

    private func isKnown(_ selector: SourceSelector) -> Bool {
        let names = catalogue.sources.keys
        return switch selector {
        case .source(let name): catalogue[name] != nil || isRefused(name.text)
        case .glob(let pattern): names.contains { Glob.matches($0.text, pattern) }
        case .account(let account):
            OwnSource.Content(rawValue: account) != nil || names.contains { $0.account == account }
                || refused.contains { $0.identity.name.account == account }
        case .edition(let text): SourceSelector.edition(text, "en").map { catalogue[$0] != nil } ?? false
        case .profile(let name): allProfiles[name] != nil
        }
    }

    private var allProfiles: [String: Profile] {
        Dictionary((builtIn + configuration.profiles).map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// The profiles that lead from one back to itself; nil when none do.
    private func circle(from name: String) -> [String]? {
        let all = allProfiles
        var (seen, paths) = (Set<String>(), [[name]])
        while let path = paths.popLast() {
            for case .profile(let next) in all[path[path.endIndex - 1]]?.entries.flatMap(\.alternatives) ?? [] {
                if next == name { return path + [name] }
                if seen.insert(next).inserted { paths.append(path + [next]) }
            }
        }
        return nil
    }

    private var sources: [CatalogueError] {
        configuration.sources.keys.sorted().compactMap { name in
            guard catalogue[name] == nil, !isRefused(name.text) else { return nil }
            return configuration.problem("sources.\(name)", "there is no such source", hint: hint(name.text))
        }
    }

    private func isRefused(_ name: String) -> Bool {
        refused.contains { $0.identity.name.text == name }
    }

    /// What became of a name, or the nearest one.
    private func hint(_ name: String) -> String? {
        if let gone = SourceName(name).flatMap({ catalogue.retired[$0] }) { return gone.message }
        let names = SourceDirectory.selectable(catalogue.sources.keys, Array(allProfiles.keys))
        return NearestName.of(name, among: names).map(NearestName.question)
    }

    private var accounts: [CatalogueError] {
        let known = Set(catalogue.sources.values.map(\.account))
        return configuration.accounts.sorted { $0.key < $1.key }.flatMap { name, account -> [CatalogueError] in
            guard known.contains(name) else {
                guard !refused.contains(where: { $0.identity.name.account == name }) else { return [] }
                let nearest = NearestName.of(name, among: known.sorted())
                return [
                    configuration.problem(
                        "accounts.\(name)",
                        "no source uses this account",
                        hint: nearest.map(NearestName.question) ?? "Take it out, or add the file of its source."
                    )
                ]
            }
            let sources = catalogue.sources.values.filter { $0.account == name }
            let secrets = Set(sources.flatMap { $0.secrets.map(\.name) })
            let settings = sources.flatMap(\.settings)
            return unknownSecrets(name, account, secrets) + wrongSettings(name, account, settings)
        }
    }

    private func unknownSecrets(
        _ name: String,
        _ account: Configuration.Account,
        _ secrets: Set<String>
    ) -> [CatalogueError] {
        account.secrets.keys.sorted().filter { !secrets.contains($0) }.map { slot in
            configuration.problem(
                "accounts.\(name).\(slot)",
                "is no secret of this account",
                hint: secrets.isEmpty ? "It needs none." : NearestName.hint(for: slot, among: secrets.sorted())
            )
        }
    }

    private func wrongSettings(
        _ name: String,
        _ account: Configuration.Account,
        _ specs: [OptionSpec]
    ) -> [CatalogueError] {
        account.settings.sorted { $0.key < $1.key }.compactMap { setting, value in
            let key = "accounts.\(name).\(setting)"
            guard let spec = specs.first(where: { $0.name == setting }) else {
                let names = Set(specs.map(\.name)).sorted() + ["baseURL"]
                return configuration.problem(
                    key,
                    "is no setting of this account",
                    hint: NearestName.hint(for: setting, among: names)
                )
            }
            guard !Self.allows(spec, value) else { return nil }
            return configuration.problem(key, "is not allowed", hint: "It must be \(spec.expectation).")
        }
    }

    /// Settings are texts, whatever they stand for.
    private static func allows(_ spec: OptionSpec, _ text: String) -> Bool {
        switch spec.type {
        case .choice, .text: spec.text(of: .string(text)) != nil
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .flag(let on, let off): text == on || text == off
        }
    }
}
