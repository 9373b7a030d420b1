import Catalogue
import SearchModel

/// The sources of each profile, computed once per configuration.
struct ProfileTable: Sendable {
    /// The name of the profile for searches that name no source; no other profile can have this name.
    static let standard = ""

    let profiles: [String: Profile]
    private let sources: SourceList
    private let language: String
    private var byTraits: [QueryTraits: [String: [ConfiguredSource]]] = [:]
    private var ownByProfile: [String: [OwnSource.Content]] = [:]

    /// Creates the table.
    ///
    /// `language` is the language of the daemon's locale.
    init(sources: SourceList, profiles: [String: Profile], language: String) {
        (self.sources, self.profiles, self.language) = (sources, profiles, language)
        ownByProfile = profiles.mapValues { own(in: $0.entries, within: [$0.name]) }
        for traits in QueryTraits.all {
            let resolver = resolver(traits)
            byTraits[traits] = profiles.mapValues { resolver.sources(of: .profile($0.name), askable: true) }
        }
    }

    /// Returns the own data of users (saved or earlier hits) that the entries select.
    private func own(in entries: [Profile.Entry], within path: Set<String>) -> [OwnSource.Content] {
        let resolver = resolver(.unknown)
        let found = entries.flatMap { entry in
            entry.alternatives.lazy.map { (own: own($0, path), others: resolver.sources(of: $0, askable: true)) }
                .first { !$0.own.isEmpty || !$0.others.isEmpty }?.own ?? []
        }
        return OwnSource.Content.allCases.filter(found.contains)
    }

    private func own(_ selector: SourceSelector, _ path: Set<String>) -> [OwnSource.Content] {
        switch selector {
        case .account(let text): OwnSource(named: text).map { [$0.content] } ?? []
        case .profile(let name) where !path.contains(name):
            own(in: profiles[name]?.entries ?? [], within: path.union([name]))
        case .profile, .source, .glob, .edition: []
        }
    }

    func resolver(_ traits: QueryTraits) -> SourceResolver {
        SourceResolver(
            sources: sources,
            profiles: profiles,
            languages: traits.script.languages(where: language),
            isCode: traits.isCode
        )
    }

    func members(of profile: String, _ traits: QueryTraits) -> [ConfiguredSource] {
        byTraits[traits]?[profile] ?? []
    }

    /// Returns the users' own data in a profile.
    func own(in profile: String) -> [OwnSource.Content] { ownByProfile[profile] ?? [] }
}

/// Sources in the order of their names.
struct SourceList: Sendable {
    let all: [ConfiguredSource]
    private let byName: [SourceName: ConfiguredSource]

    /// Creates a list; the last of several sources with one name is kept.
    init(_ sources: [ConfiguredSource]) {
        byName = Dictionary(sources.map { ($0.profile.name, $0) }, uniquingKeysWith: { $1 })
        all = byName.values.sorted { $0.profile.name < $1.profile.name }
    }

    subscript(name: SourceName) -> ConfiguredSource? { byName[name] }
}

/// Finds the sources that selectors match.
struct SourceResolver {
    let sources: SourceList
    let profiles: [String: Profile]
    /// The wanted languages of sources that exist once per language; the preferred language is first.
    let languages: [String]
    /// Whether entries for queries about programming are included.
    let isCode: Bool

    /// Returns the sources of these entries in order, each once; with `askable`, omits sources that cannot be called.
    func sources(of entries: [Profile.Entry], askable: Bool) -> [ConfiguredSource] {
        sources(of: entries, askable, within: [])
    }

    func sources(of selector: SourceSelector, askable: Bool) -> [ConfiguredSource] {
        sources(of: selector, askable, within: [])
    }

    /// `path` has the enclosing profiles, because a profile that contains itself adds nothing.
    private func sources(
        of entries: [Profile.Entry],
        _ askable: Bool,
        within path: Set<String>
    ) -> [ConfiguredSource] {
        var found: [ConfiguredSource] = []
        for entry in entries where isCode || !entry.isForCode {
            let first = entry.alternatives.lazy
                .map { sources(of: $0, askable, within: path) }
                .first { !$0.isEmpty }
            for source in first ?? [] where !found.contains(where: { $0 === source }) { found.append(source) }
        }
        return found
    }

    private func sources(
        of selector: SourceSelector,
        _ askable: Bool,
        within path: Set<String>
    ) -> [ConfiguredSource] {
        let found: [ConfiguredSource] =
            switch selector {
            case .source(let name): [sources[name]].compactMap(\.self)
            case .glob(let pattern): sources.all.filter { Glob.matches($0.profile.name.text, pattern) }
            case .account(let account): sources.all.filter { $0.profile.name.account == account }
            case .edition(let text): editions(text)
            case .profile(let name):
                path.contains(name)
                    ? [] : sources(of: profiles[name]?.entries ?? [], askable, within: path.union([name]))
            }
        return askable ? found.filter { $0.unavailable == nil } : found
    }

    /// Returns one source per wanted language; returns the English source if none of these languages has one.
    private func editions(_ text: String) -> [ConfiguredSource] {
        func source(_ language: String) -> ConfiguredSource? {
            SourceSelector.edition(text, language).flatMap { sources[$0] }
        }
        let found = languages.compactMap(source)
        return found.isEmpty ? [source("en")].compactMap(\.self) : found
    }
}
