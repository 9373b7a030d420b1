import Catalogue
import Engine
import JSON
import SearchModel

/// What is wrong with a configuration only in view of the sources there are; pure.
struct ConfigurationReview {
    let configuration: Configuration
    let catalogue: Catalogue
    let refused: [RefusedSource]

    /// Every problem, in the order of the keys.
    var problems: [CatalogueError] {
        defaults + accounts + sources
    }

    private var defaults: [CatalogueError] {
        (configuration.defaultSources ?? []).enumerated().compactMap { index, pattern in
            let names = catalogue.sources.keys
            guard !names.contains(where: { Glob.matches($0.text, pattern) }), !isRefused(pattern) else { return nil }
            return configuration.problem(
                "defaultSources[\(index)]",
                "no source is called \(pattern)",
                hint: hint(pattern)
            )
        }
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
        return NearestName.of(name, among: catalogue.sources.keys.map(\.text).sorted()).map { "did you mean \($0)?" }
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
                        hint: nearest.map { "did you mean \($0)?" } ?? "take it out, or add the file of its source"
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
                hint: secrets.isEmpty ? "it needs none" : NearestName.hint(for: slot, among: secrets.sorted())
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
            return configuration.problem(key, "is not allowed", hint: "it must be \(spec.expectation)")
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
