import Catalogue
import Engine
import JSON
import SearchModel

/// Finds unknown names in a configuration, and values that a setting or a quota does not allow.
struct ConfigurationReview {
    let configuration: Configuration
    private let catalogue: Catalogue
    private let refused: [RefusedSource]
    private let profiles: Set<String>

    init(configuration: Configuration, catalogue: Catalogue, refused: [RefusedSource]) {
        self.configuration = configuration
        self.catalogue = catalogue
        self.refused = refused
        profiles = Set((Profile.builtIn() + configuration.profiles).map(\.name))
    }

    var problems: [CatalogueError] {
        unknownSources(configuration.defaultSources ?? [], in: "defaultSources")
            + configuration.profiles.flatMap(problems)
            + configuration.accounts.sorted { $0.key < $1.key }.flatMap(problems)
            + configuration.sources.keys.sorted().filter { !isKnown(.source($0)) }.map { name in
                configuration.problem("sources.\(name)", "unknown source", hint: hint(name.text))
            }
    }

    private func unknownSources(_ entries: [Profile.Entry], in key: String) -> [CatalogueError] {
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

    private func problems(_ profile: Profile) -> [CatalogueError] {
        let key = "profiles.\(profile.name)"
        let isList = configuration.positions["\(key)[0]"] != nil
        return unknownSources(profile.entries, in: isList ? key : "\(key).sources")
    }

    private func isKnown(_ selector: SourceSelector) -> Bool {
        let names = catalogue.sources.keys
        return switch selector {
        case .source(let name): catalogue[name] != nil || refused.contains { $0.identity.name == name }
        case .glob(let pattern): names.contains { Glob.matches($0.text, pattern) }
        case .account(let account):
            OwnSource.Content(rawValue: account) != nil || names.contains { $0.account == account }
                || isRefused(account: account)
        case .edition(let text): SourceSelector.edition(text, "en").map { catalogue[$0] != nil } ?? false
        case .profile(let name): profiles.contains(name)
        }
    }

    private func isRefused(account: String) -> Bool {
        refused.contains { $0.identity.name.account == account }
    }

    private func hint(_ name: String) -> String? {
        if let retired = SourceName(name).flatMap({ catalogue.retired[$0] }) { return retired.message }
        let names = SourceRegistry.selectable(catalogue.sources.keys, Array(profiles))
        return NearestName.question(for: name, among: names)
    }

    private func problems(_ name: String, _ account: Configuration.Account) -> [CatalogueError] {
        let key = "accounts.\(name)"
        let sources = catalogue.sources.values.filter { $0.account == name }
        guard !sources.isEmpty else {
            if isRefused(account: name) { return [] }
            let accounts = Set(catalogue.sources.values.map(\.account)).sorted()
            let hint = NearestName.question(for: name, among: accounts)
            let remedy = "Remove the account, or add the file of its source."
            return [configuration.problem(key, "no source uses this account", hint: hint ?? remedy)]
        }
        let secrets = Set(sources.flatMap { $0.shared.secrets.map(\.name) })
        let unknownSecrets = account.secrets.keys.sorted().filter { !secrets.contains($0) }.map { slot in
            configuration.problem(
                "\(key).\(slot)",
                "the account has no such secret",
                hint: secrets.isEmpty ? "It needs no secret." : NearestName.hint(for: slot, among: secrets.sorted())
            )
        }
        let settings = sources.flatMap(\.shared.settings)
        let wrongSettings = account.settings.sorted { $0.key < $1.key }.compactMap { setting, value in
            let key = "\(key).\(setting)"
            if secrets.contains(setting) {
                let hint = "Write it like { value: \"…\" }, { file: \"…\" }, { env: \"…\" } or { credential: \"…\" }."
                return configuration.problem(key, "is a secret, which can't be written as a text", hint: hint)
            }
            guard let spec = settings.first(where: { $0.name == setting }) else {
                let names = Set(settings.map(\.name)).union(secrets).sorted() + ["baseURL"]
                let hint = NearestName.hint(for: setting, among: names)
                return configuration.problem(key, "the account has no such setting", hint: hint)
            }
            if Self.allows(spec, value) { return nil }
            return configuration.problem(key, "is not allowed", hint: "It must be \(spec.expectation).")
        }
        let quotas = sources.flatMap(\.quotas)
        return unknownSecrets + wrongSettings
            + account.quotas.sorted { $0.key < $1.key }.flatMap { problems("\(key).quotas.\($0)", $0, $1, quotas) }
    }

    private func problems(_ key: String, _ name: String, _ change: QuotaChange, _ quotas: [Quota]) -> [CatalogueError] {
        guard let quota = quotas.first(where: { $0.name == name }) else {
            let hint = NearestName.hint(for: name, among: Set(quotas.map(\.name)).sorted())
            return [configuration.problem(key, "the account has no such quota", hint: hint)]
        }
        return change.all.filter { !quota.isIn($0.amount.currency) }.map { part, _ in
            let hint = "Write it like \(quota.writtenLimit)."
            return configuration.problem("\(key).\(part)", "is not in the unit of the quota", hint: hint)
        }
    }

    private static func allows(_ spec: OptionSpec, _ text: String) -> Bool {
        switch spec.type {
        case .choice, .text: spec.text(of: .string(text)) != nil
        case .integer(let range): Int(text).map(range.contains) ?? false
        case .flag(let on, let off): text == on || text == off
        }
    }
}
