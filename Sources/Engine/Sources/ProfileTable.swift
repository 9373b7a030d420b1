import Catalogue
import SearchModel

/// The sources of each profile; a profile is a named group of sources.
struct ProfileTable: Sendable {
    struct Members: Sendable {
        var sources: [ConfiguredSource] = []
        var own: [OwnSource.Content] = []

        var isEmpty: Bool { sources.isEmpty && own.isEmpty }
    }

    /// Stands for `defaultSources` of the configuration, which have no name of their own.
    static let standard = ""

    let profiles: [String: Profile]
    private let sources: SourceList
    private let language: String
    private var byTraits: [QueryTraits: [String: Members]] = [:]

    init(sources: SourceList, profiles: [String: Profile], language: String) {
        (self.sources, self.profiles, self.language) = (sources, profiles, language)
        for traits in QueryTraits.all {
            let resolver = resolver(traits)
            byTraits[traits] = profiles.mapValues { resolver.members(of: .profile($0.name), askable: true) }
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
        byTraits[traits]?[profile] ?? Members()
    }
}

struct SourceList: Sendable {
    let all: [ConfiguredSource]
    private let byName: [SourceName: ConfiguredSource]

    init(_ sources: [ConfiguredSource]) {
        byName = Dictionary(sources.map { ($0.profile.name, $0) }, uniquingKeysWith: { $1 })
        all = byName.values.sorted { $0.profile.name < $1.profile.name }
    }

    subscript(name: SourceName) -> ConfiguredSource? { byName[name] }
}

/// Finds the sources that the entries and selectors of a profile mean.
struct SourceResolver {
    typealias Members = ProfileTable.Members

    let sources: SourceList
    let profiles: [String: Profile]
    /// The wanted languages, the preferred language first.
    let languages: [String]
    let isCode: Bool

    /// If `askable` is true, omits sources that cannot be called.
    ///
    /// `path` contains the enclosing profiles, so that cycles end.
    func members(of entries: [Profile.Entry], askable: Bool, within path: Set<String> = []) -> Members {
        var found = Members()
        for entry in entries where isCode || !entry.isForCode {
            let first = entry.alternatives.lazy
                .map { members(of: $0, askable: askable, within: path) }
                .first { !$0.isEmpty }
            for source in first?.sources ?? [] where !found.sources.contains(where: { $0 === source }) {
                found.sources.append(source)
            }
            for own in first?.own ?? [] where !found.own.contains(own) { found.own.append(own) }
        }
        return found
    }

    func members(of selector: SourceSelector, askable: Bool, within path: Set<String> = []) -> Members {
        let found: [ConfiguredSource]
        switch selector {
        case .source(let name): found = [sources[name]].compactMap(\.self)
        case .glob(let pattern): found = sources.all.filter { Glob.matches($0.profile.name.text, pattern) }
        case .account(let account):
            if let own = OwnSource(named: account) { return Members(own: [own.content]) }
            found = sources.all.filter { $0.profile.name.account == account }
        case .edition(let text): found = editions(text)
        case .profile(let name) where path.contains(name): return Members()
        case .profile(let name):
            return members(of: profiles[name]?.entries ?? [], askable: askable, within: path.union([name]))
        }
        return Members(sources: askable ? found.filter { $0.unavailable == nil } : found)
    }

    /// If no wanted language has a source, returns the English source.
    private func editions(_ text: String) -> [ConfiguredSource] {
        func source(_ language: String) -> ConfiguredSource? {
            SourceSelector.edition(text, language).flatMap { sources[$0] }
        }
        let found = languages.compactMap(source)
        return found.isEmpty ? [source("en")].compactMap(\.self) : found
    }
}
