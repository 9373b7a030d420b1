import Catalogue
import SearchModel

/// The sources of each profile, computed once per configuration.
struct ProfileTable: Sendable {
    struct Members: Sendable {
        var sources: [ConfiguredSource] = []
        var own: [OwnSource.Content] = []

        var isEmpty: Bool { sources.isEmpty && own.isEmpty }
    }

    private struct Resolved: Sendable {
        var byProfile: [String: Members] = [:]
        var standard = Members()
    }

    let profiles: [String: Profile]
    private let sources: [ConfiguredSource]
    private let language: String
    private var byTraits: [QueryTraits: Resolved] = [:]

    /// Creates the table; `sources` must be in the order of their names.
    ///
    /// `standard` has the entries for searches that name no source. `language` is the language of the daemon's locale.
    init(sources: [ConfiguredSource], profiles: [String: Profile], standard: [Profile.Entry], language: String) {
        (self.sources, self.profiles, self.language) = (sources, profiles, language)
        for traits in QueryTraits.all {
            let resolver = resolver(traits)
            var resolved = Resolved()
            for name in profiles.keys {
                resolved.byProfile[name] = resolver.members(of: .profile(name), askable: true)
            }
            resolved.standard = resolver.members(of: standard, askable: true)
            byTraits[traits] = resolved
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

    func members(of profile: String, _ traits: QueryTraits) -> Members {
        byTraits[traits]?.byProfile[profile] ?? Members()
    }

    func standard(_ traits: QueryTraits) -> Members {
        byTraits[traits]?.standard ?? Members()
    }
}

/// Finds the sources that selectors match.
struct SourceResolver {
    typealias Members = ProfileTable.Members

    let sources: [ConfiguredSource]
    let profiles: [String: Profile]
    /// The wanted languages of sources that exist once per language; the preferred language is first.
    let languages: [String]
    /// Whether entries for queries about programming are included.
    let isCode: Bool

    /// Returns the members of these entries in order, each once; with `askable`, omits sources that cannot be called.
    ///
    /// `path` has the enclosing profiles, because a profile that contains itself adds nothing.
    func members(of entries: [Profile.Entry], askable: Bool, within path: Set<String> = []) -> Members {
        var found = Members()
        var names: Set<SourceName> = []
        for entry in entries where isCode || !entry.isForCode {
            let first = entry.alternatives.lazy
                .map { members(of: $0, askable: askable, within: path) }
                .first { !$0.isEmpty }
            for source in first?.sources ?? [] where names.insert(source.source.name).inserted {
                found.sources.append(source)
            }
            for own in first?.own ?? [] where !found.own.contains(own) { found.own.append(own) }
        }
        return found
    }

    func members(of selector: SourceSelector, askable: Bool, within path: Set<String> = []) -> Members {
        let found: [ConfiguredSource]
        switch selector {
        case .source(let name): found = sources.filter { $0.source.name == name }
        case .glob(let pattern): found = sources.filter { Glob.matches($0.source.name.text, pattern) }
        case .account(let account):
            if let own = OwnSource(named: account) { return Members(own: [own.content]) }
            found = sources.filter { $0.source.account == account }
        case .edition(let text): found = editions(text)
        case .profile(let name) where path.contains(name): return Members()
        case .profile(let name):
            return members(of: profiles[name]?.entries ?? [], askable: askable, within: path.union([name]))
        }
        return Members(sources: askable ? found.filter { $0.unavailable == nil } : found)
    }

    /// Returns one source per wanted language; returns the English source if none of these languages has one.
    private func editions(_ text: String) -> [ConfiguredSource] {
        func source(_ language: String) -> ConfiguredSource? {
            SourceSelector.edition(text, language).flatMap { name in sources.first { $0.source.name == name } }
        }
        let found = languages.compactMap(source)
        return found.isEmpty ? [source("en")].compactMap(\.self) : found
    }
}
